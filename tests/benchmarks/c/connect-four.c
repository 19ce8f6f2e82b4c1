// Hand-written Connect Four, 7 columns of 6: uniform random playouts, one game at a time. The speed limit that gdl is held against.
// Method: seven bits a column, the top one always empty; adding the bottom row to all discs gives the cell on which a disc
// dropped into each column lands. The mover's four in a row are looked for after the seventh move, by shifts of the whole board.
// Argument: the number of playouts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
static inline uint64_t nth(uint64_t set, unsigned k) { return _pdep_u64(1ULL << k, set); }
#else
static inline uint64_t nth(uint64_t set, unsigned k) { while (k--) set &= set - 1; return set & -set; }
#endif
#define BOTTOM 0x0040810204081ULL
#define CELLS (BOTTOM * 63)

static inline uint64_t pairs(uint64_t set, int step) { return set & set >> step; }

static inline int wins(uint64_t set) {
  uint64_t up = pairs(set, 1), along = pairs(set, 7), falling = pairs(set, 6), rising = pairs(set, 8);
  return (pairs(up, 2) | pairs(along, 14) | pairs(falling, 12) | pairs(rising, 16)) != 0;
}

int main(int argc, char **argv) {
  long games = argc > 1 ? atol(argv[1]) : 4000000;
  uint64_t x = 88172645463325252ULL;
  long first_wins = 0, draws = 0, moves = 0;
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (long game = 0; game < games; game++) {
    uint64_t mover = 0, all = 0;
    int ply = 0;
    for (;;) {
      uint64_t open = (all + BOTTOM) & CELLS;
      x ^= x << 13; x ^= x >> 7; x ^= x << 17;
      uint64_t disc = nth(open, (unsigned)((x >> 32) * (unsigned)__builtin_popcountll(open) >> 32));
      mover |= disc; all |= disc; ply++;
      if (ply > 6 && wins(mover)) { first_wins += ply & 1; break; }
      if (ply == 42) { draws++; break; }
      mover ^= all;
    }
    moves += ply;
  }
  clock_gettime(CLOCK_MONOTONIC, &b);
  double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f draws %.4f\n", games / s, moves / s / 1e6, (double)first_wins / games, (double)moves / games, (double)draws / games);
}
