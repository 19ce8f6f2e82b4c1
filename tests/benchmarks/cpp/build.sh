#!/usr/bin/env bash
# Builds what our random games are measured beside: OpenSpiel's games in their own C++, and the
# programs that Regular Boardgames makes of its rules. `build.sh FOLDER [GAME ...]`: sources go into
# FOLDER/sources (those that are there are taken as they are), programs into FOLDER/bin. Needed: g++,
# make, git, flex, bison, and Debian's libabsl-dev and libboost-dev. The table of
# `python -m tests.benchmarks.table --peers FOLDER` has what was built. GAME: files of Regular
# Boardgames without their ending, and OpenSpiel's folders; all that `peers.py` names by default.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "$1/sources" "$1/bin" && cd "$1" && pwd)
shift
flags=(-O3 -march=native -DNDEBUG -w)

source_of() { # NAME ADDRESS
    [ -d "$folder/sources/$1" ] || git clone --quiet --depth 1 "$2" "$folder/sources/$1"
}

source_of open_spiel https://github.com/google-deepmind/open_spiel
source_of rbg2cpp https://github.com/uicus/rbg2cpp
rmdir "$folder/sources/rbg2cpp/rbgParser" "$folder/sources/rbg2cpp/rbgGames" 2> /dev/null || true
source_of rbg2cpp/rbgParser https://github.com/uicus/rbgParser
source_of rbg2cpp/rbgGames https://github.com/marekesz/rbgGames

# OpenSpiel: its core, what it stands on, and each game's folder, which registers itself at the start.
spiel=$folder/sources/open_spiel/open_spiel
source_of open_spiel/open_spiel/abseil-cpp https://github.com/abseil/abseil-cpp
source_of open_spiel/open_spiel/json https://github.com/nlohmann/json
absl=$folder/sources/absl
cmake -S "$spiel/abseil-cpp" -B "$absl" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 \
    -DABSL_PROPAGATE_CXX_STD=ON > /dev/null
make --silent -C "$absl" raw_hash_set str_format_internal random_distributions random_seed_sequences strings synchronization time
games=$(cd "$here/../../.." && python3 -m tests.benchmarks.peers spiel)
objects=()
for path in "$spiel"/{spiel,spiel_utils,action_view,game_parameters,observer,policy,simultaneous_move_game}.cc \
    "$spiel"/utils/{json,random,sgf_reader,status,usage_logging,file}.cc $(for game in $games; do ls "$spiel/games/$game"/*.cc; done); do
    case $path in *_test.cc) continue ;; esac
    object=$folder/sources/$(echo "${path#"$spiel/"}" | tr / _).o
    objects+=("$object")
    [ "$object" -nt "$path" ] || g++ -std=c++20 "${flags[@]}" -I"$spiel/.." -I"$spiel/abseil-cpp" -I"$spiel/json/include" -c -o "$object" "$path"
done
g++ -std=c++20 "${flags[@]}" -I"$spiel/.." -I"$spiel/abseil-cpp" -I"$spiel/json/include" -o "$folder/bin/spiel" "$here/spiel.cc" "${objects[@]}" \
    -Wl,--start-group $(find "$absl" -name '*.a') -Wl,--end-group -lpthread

# Regular Boardgames: its compiler, and a program for each game.
make --silent -C "$folder/sources/rbg2cpp/rbgParser" librbgParser.a
make --silent -C "$folder/sources/rbg2cpp" rbg2cpp
cd "$folder/sources"
for game in ${*:-$(cd "$here/../../.." && python3 -m tests.benchmarks.peers rbg)}; do
    mkdir -p "rbg/$game"
    (cd "rbg/$game" && ../../rbg2cpp/bin/rbg2cpp -o reasoner "../../rbg2cpp/rbgGames/games/$game.rbg")
    g++ -std=c++17 "${flags[@]}" -Irbg/"$game" -o "$folder/bin/rbg-$game" "$here/rbg.cc" "rbg/$game/reasoner.cpp"
done
