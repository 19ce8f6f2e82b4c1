// Hand-written Amazons on 10x10: playouts uniform over whole moves (from, to, arrow). The speed limit that gdl is held against.
// Method: every row, column and diagonal is a word of ten bits, and a table gives from a line and a place on it how far a queen
// goes in both directions. All from-to pairs are listed by copying rays. A pair and a number below MOST, which no queen's reach
// exceeds, are drawn, four at a time, until the number is below the reach of the arrow: it then is the arrow's target, and each
// whole move is equally likely. Where few pairs are left, the arrows of all are counted instead. Argument: the number of playouts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define N 10
#define S (N * N)
#define LINES (6 * N - 2)
#define MOST 35
#define LONGEST 16 // a ray's squares, of which nine at most count
#ifndef FEW
#define FEW 16
#endif

typedef struct { uint8_t line[4], place[4]; } Square;
typedef struct { int back, both; } Reach;

static const int step[4] = {1, N, N + 1, N - 1};
static Square squares[S];
static uint8_t rays[S][4][2][LONGEST];
static uint8_t reaches[N][1 << N]; // 16 * the number of squares backwards + the number both ways
static uint16_t initial[LINES], lines[LINES];

static inline void toggle(uint16_t *of, int s) {
  for (int i = 0; i < 4; i++) of[squares[s].line[i]] ^= 1u << squares[s].place[i];
}

static void lay_out(void) {
  for (int place = 0; place < N; place++)
    for (int line = 0; line < 1 << N; line++) {
      int back = 0, on = 0;
      while (place - back - 1 >= 0 && !(line >> (place - back - 1) & 1)) back++;
      while (place + on + 1 < N && !(line >> (place + on + 1) & 1)) on++;
      reaches[place][line] = 16 * back + back + on;
    }
  for (int i = 0; i < LINES; i++) initial[i] = (1 << N) - 1;
  for (int s = 0; s < S; s++) {
    int row = s / N, column = s % N;
    squares[s] = (Square){{row, N + column, 3 * N - 1 + row - column, 4 * N - 1 + row + column}, {column, row, row, row}};
    toggle(initial, s);
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < N - 1; k++) rays[s][i][0][k] = s - (k + 1) * step[i], rays[s][i][1][k] = s + (k + 1) * step[i];
  }
}

static inline Reach reach_along(int s, int i) {
  int both = reaches[squares[s].place[i]][lines[squares[s].line[i]]];
  return (Reach){both >> 4, both & 15};
}

static inline int arrows_of(int to, int along, int from) { // the arrow's targets after a queen went along such a line
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    unsigned vacated = (unsigned)(i == along) << squares[from].place[i];
    sum += reaches[squares[to].place[i]][lines[squares[to].line[i]] ^ vacated] & 15;
  }
  return sum;
}

static inline int target(int s, int k) { // the square that a queen on s reaches as its k-th
  for (int i = 0;; i++) {
    Reach r = reach_along(s, i);
    if (k < r.both) return k < r.back ? rays[s][i][0][k] : rays[s][i][1][k - r.back];
    k -= r.both;
  }
}

static inline int list_pairs(const uint8_t *own, uint8_t *to, uint8_t *how) { // how: 4 * queen + the line gone along
  int n = 0;
  for (int q = 0; q < 4; q++)
    for (int i = 0; i < 4; i++) {
      Reach r = reach_along(own[q], i);
      memset(how + n, 4 * q + i, 2 * LONGEST);
      memcpy(to + n, rays[own[q]][i][0], LONGEST);
      memcpy(to + n + r.back, rays[own[q]][i][1], LONGEST);
      n += r.both;
    }
  return n;
}

int main(int argc, char **argv) {
  long games = argc > 1 ? atol(argv[1]) : 50000;
  static const uint8_t set_up[2][4] = {{30, 3, 6, 39}, {60, 93, 96, 69}};
  uint64_t x = 88172645463325252ULL;
  long first_wins = 0, moves = 0;
  struct timespec a, b;
  lay_out();
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (long game = 0; game < games; game++) {
    uint8_t queens[2][4], tos[4 * MOST + 2 * LONGEST], how[4 * MOST + 2 * LONGEST];
    memcpy(queens, set_up, sizeof queens);
    memcpy(lines, initial, sizeof lines);
    for (int q = 0; q < 8; q++) toggle(lines, queens[q / 4][q % 4]);
    int ply = 0;
    for (;; ply++) {
      uint8_t *own = queens[ply & 1];
      int pairs = list_pairs(own, tos, how), k = 0, arrow = 0;
      if (pairs == 0) { first_wins += ply & 1; break; }
      if (pairs > FEW) {
        int which[4], arrows[4];
        unsigned accepted;
        do {
          accepted = 0;
          for (int t = 0; t < 4; t++) {
            x ^= x << 13; x ^= x >> 7; x ^= x << 17;
            uint64_t drawn = (x >> 32) * pairs;
            int one = which[t] = drawn >> 32;
            arrows[t] = (uint64_t)(uint32_t)drawn * MOST >> 32;
            accepted |= (unsigned)(arrows[t] < arrows_of(tos[one], how[one] & 3, own[how[one] >> 2])) << t;
          }
        } while (!accepted);
        int first = __builtin_ctz(accepted);
        k = which[first]; arrow = arrows[first];
      } else {
        int sums[FEW], all = 0;
        for (int i = 0; i < pairs; i++) sums[i] = all += arrows_of(tos[i], how[i] & 3, own[how[i] >> 2]);
        x ^= x << 13; x ^= x >> 7; x ^= x << 17;
        int drawn = (x >> 32) * all >> 32;
        for (int i = 0; i < pairs - 1; i++) k += drawn >= sums[i];
        arrow = k ? drawn - sums[k - 1] : drawn;
      }
      int q = how[k] >> 2, to = tos[k];
      toggle(lines, own[q]);
      own[q] = to;
      int shot = target(to, arrow);
      toggle(lines, to);
      toggle(lines, shot);
    }
    moves += ply;
  }
  clock_gettime(CLOCK_MONOTONIC, &b);
  double s = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
  printf("%.0f playouts/s %.2f M moves/s first wins %.4f length %.2f\n", games / s, moves / s / 1e6, (double)first_wins / games, (double)moves / games);
}
