// Random games of a program that Regular Boardgames made ("reasoner.hpp"): each legal move equally likely.
// Argument: the number of playouts. A game is left after 2000 moves.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "reasoner.hpp"

static uint64_t state = 88172645463325252ULL;
static reasoner::resettable_bitarray_stack cache;

static uint64_t below(uint64_t bound) {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return (uint64_t)(((unsigned __int128)state * bound) >> 64);
}

// What its rules do between two moves of players; false if they can't go on.
static bool kept(reasoner::game_state &position) {
  while (position.get_current_player() == 0)
    if (!position.apply_any_move(cache)) return false;
  return true;
}

int main(int argc, char **argv) {
  long games = argc > 1 ? atol(argv[1]) : 1000, moves = 0, first_wins = 0, draws = 0, unfinished = 0;
  reasoner::game_state start;
  if (!kept(start)) return 2;
  std::vector<reasoner::move> legal;
  auto begun = std::chrono::steady_clock::now();
  for (long i = 0; i < games; i++) {
    reasoner::game_state position = start;
    int plies = 0;
    bool over = false;
    while (plies < 2000) {
      position.get_all_moves(cache, legal);
      if ((over = legal.empty())) break;
      position.apply_move(legal[below(legal.size())]);
      plies++;
      if ((over = !kept(position))) break;
    }
    moves += plies;
    if (!over) { unfinished++; continue; }
    int first = position.get_player_score(1), second = reasoner::NUMBER_OF_PLAYERS > 2 ? position.get_player_score(2) : 0;
    if (first > second) first_wins++;
    else if (first == second) draws++;
  }
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f draws %.4f unfinished %.4f\n",
         games / spent.count(), moves / spent.count() / 1e6, (double)first_wins / games,
         (double)moves / games, (double)draws / games, (double)unfinished / games);
}
