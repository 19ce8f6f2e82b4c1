// Hand-written tic-tac-toe: uniform random playouts, one game at a time. The speed limit that gdl is held against.
// Method: a side is nine bits; a table tells which of the 512 sets hold a row. One random word serves a whole game: the
// high part of its product with the number of empty cells draws the cell, the low part is left for the next move.
// The moves are unrolled; the first four can't win. Argument: the number of playouts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
static inline unsigned nth(unsigned set, unsigned k) { return _pdep_u32(1u << k, set); }
#else
static inline unsigned nth(unsigned set, unsigned k) { while (k--) set &= set - 1; return set & -set; }
#endif

static uint8_t row[512];

static void lay_out(void) {
  static const unsigned rows[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  for (unsigned set = 0; set < 512; set++)
    for (int i = 0; i < 8; i++) row[set] |= (set & rows[i]) == rows[i];
}

int main(int argc, char **argv) {
  long games = argc > 1 ? atol(argv[1]) : 20000000;
  uint64_t x = 88172645463325252ULL;
  long first_wins = 0, draws = 0, moves = 0;
  struct timespec a, b;
  lay_out();
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (long game = 0; game < games; game++) {
    unsigned mover = 0, other = 0;
    x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    uint64_t left = x;
    int ply = 0;
#pragma GCC unroll 9
    for (int empty = 9; empty > 0; empty--) {
      unsigned __int128 product = (unsigned __int128)left * (unsigned)empty;
      left = (uint64_t)product;
      unsigned set = mover | nth(511 & ~(mover | other), (unsigned)(product >> 64));
      ply++;
      if (empty < 6 && row[set]) { first_wins += empty & 1; goto over; }
      mover = other; other = set;
    }
    draws++;
  over:
    moves += ply;
  }
  clock_gettime(CLOCK_MONOTONIC, &b);
  double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f draws %.4f\n", games / s, moves / s / 1e6, (double)first_wins / games, (double)moves / games, (double)draws / games);
}
