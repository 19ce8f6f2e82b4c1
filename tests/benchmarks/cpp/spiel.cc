// Random games of OpenSpiel in its own C++: each action equally likely among the legal ones, chance by its shares.
// Arguments: a game as OpenSpiel names it, the number of playouts. A game is left after 2000 decisions of players.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "open_spiel/spiel.h"
#include "open_spiel/spiel_utils.h"

static uint64_t state = 88172645463325252ULL;

static uint64_t drawn() {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state;
}

static uint64_t below(uint64_t bound) {
  return (uint64_t)(((unsigned __int128)drawn() * bound) >> 64);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  auto game = open_spiel::LoadGame(argv[1]);
  long games = argc > 2 ? atol(argv[2]) : 1000, moves = 0, first_wins = 0, draws = 0, unfinished = 0;
  auto begun = std::chrono::steady_clock::now();
  for (long i = 0; i < games; i++) {
    std::unique_ptr<open_spiel::State> position = game->NewInitialState();
    int plies = 0;
    while (!position->IsTerminal() && plies < 2000) {
      if (position->IsChanceNode()) {
        auto outcomes = position->ChanceOutcomes();
        double left = (double)(drawn() >> 11) / (double)(1ULL << 53);
        size_t which = 0;
        while (which + 1 < outcomes.size() && left >= outcomes[which].second) left -= outcomes[which++].second;
        position->ApplyAction(outcomes[which].first);
        continue;
      }
      std::vector<open_spiel::Action> legal = position->LegalActions();
      position->ApplyAction(legal[below(legal.size())]);
      plies++;
    }
    moves += plies;
    if (!position->IsTerminal()) { unfinished++; continue; }
    double result = position->Returns()[0];
    if (result > 0) first_wins++;
    else if (result == 0) draws++;
  }
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f draws %.4f unfinished %.4f\n",
         games / spent.count(), moves / spent.count() / 1e6, (double)first_wins / games,
         (double)moves / games, (double)draws / games, (double)unfinished / games);
}
