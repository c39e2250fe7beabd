/* SPDX-License-Identifier: BSD-3-Clause
 * The inspection of a file, on damaged files at a high rate.
 *
 *   fuzz_probe COUNT SEED DIRECTORY FILE...   mutates the seed FILEs in worker processes; prints
 *                                             "tried N wrong M" and what was contained
 *   fuzz_probe --one FILE                     one file, in this process
 *   fuzz_probe --judge FILE                   the same in a worker: 1 if it dies in our own code
 *   fuzz_probe --mutant SEED NUMBER TO FILE... writes the mutant of that number to TO
 *
 * Compiled by AFL++'s afl-clang-fast it takes its files from there, in persistent mode (argument:
 * the name of a scratch file).  A worker that dies with libhdf5 (or what that calls) on its stack
 * and none of our functions behind it is "contained": in the program it is a process of its own
 * that dies so.  One that dies in our own code is wrong, if it does so again in a fresh process. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"
#include "hdf5/inspect.h"

enum { MOST = 1 << 16, SEEDS = 64, SECONDS = 2, OURS = 99, BATCH = 2000 };

/* What workers tell the process that started them. */
typedef struct shared {
  long number, accepted, refused;
} shared;
static shared *tell;

static unsigned char *seed_data[SEEDS];
static size_t seed_size[SEEDS];
static int seeds;

/* ---- What is fuzzed ----------------------------------------------------------------------- */

/* Inspects, reads the attributes, and decodes everything if it is small: what the child can be
 * asked for.  Returns whether the file was accepted; what was found has to be consistent. */
static int inspect(const char *name) {
  static double numbers[4096];
  pf_dataset d = {.most = PF_IO_DIMS}, again;
  pfft3d_error e;
  pf_h5_handles open;
  void *image;
  size_t bytes;
  pf_error_clear(&e);
  snprintf(d.file, sizeof d.file, "%s", name);
  if (pf_h5_inspect(&d, &open, &e)) {
    if (!e.text[0] || strlen(e.text) >= sizeof e.text) abort();
    return 0;
  }
  pf_h5_close(&open);
  pf_io_round p = {.count = 1};
  if (d.dims < 1 || d.dims > PF_IO_DIMS || !d.path[0]) abort();
  for (int a = 0; a < pf_io_axes(d.dims); a++) {
    if (d.n[a] < 1) abort();
    p.count *= p.size[a] = d.n[a];
  }
  memcpy(&again, &d, sizeof again);
  if (!pf_h5_image(&again, &image, &bytes, &e)) {
    hid_t file, group;
    if (!pf_h5_open_image(image, bytes, &file, &group, &e)) {
      char text[64];
      pf_h5_read_text(group, "units", text, sizeof text, &e);
      H5Gclose(group);
      H5Fclose(file);
    }
    free(image);
  }
  pf_error_clear(&e);
  pf_h5_decoding c;
  if (p.count * (d.is_complex + 1) <= 4096 && !pf_h5_decode_begin(&d, H5T_NATIVE_DOUBLE, &c, &e)) {
    pf_h5_decode(&c, &p, numbers, &e);
    pf_h5_decode_end(&c);
  }
  return 1;
}

/* ---- Mutants ------------------------------------------------------------------------------ */

static uint64_t dice_state;
static uint64_t dice(uint64_t below) {
  return mix(dice_state++) % below;
}

/* A place that is probably metadata: near the beginning or behind a signature. */
static size_t place(const unsigned char *data, size_t size) {
  static const char words[][5] = {"TREE", "HEAP", "SNOD", "OHDR", "GCOL", "FRHP", "BTHD", "FADB"};
  const unsigned char *at = NULL;
  uint64_t kind = dice(16);
  if (kind < 8) at = memmem(data, size, words[kind], 4);
  size_t offset = at ? (size_t)(at - data) + dice(160) : kind < 15 ? dice(800) : dice(size);
  return offset < size ? offset : size - 1;
}

static void put_field(unsigned char *data, size_t size, size_t at) {
  static const uint64_t values[] = {
      0, 1, 0xff, 0xffff, 0x7fffffff, 1u << 31, UINT32_MAX, (uint64_t)1 << 60, UINT64_MAX};
  uint64_t value = values[dice(sizeof values / sizeof *values)];
  size_t bytes = (size_t)1 << dice(4);
  if (dice(3) == 0) value = dice(2) ? at : size;
  at &= ~(bytes - 1);
  for (size_t k = 0; k < bytes && at + k < size; k++)
    data[at + k] = (unsigned char)(k < 8 ? value >> 8 * k : 0);
}

/* Makes mutant `number` of a seed in data[MOST]; its size. */
static size_t mutant(uint64_t seed, long number, unsigned char *data) {
  dice_state = mix(seed) + mix((uint64_t)number * 3 + 1);
  int which = (int)dice((uint64_t)seeds);
  size_t size = seed_size[which];
  memcpy(data, seed_data[which], size);
  for (uint64_t times = (uint64_t)1 << dice(4); times > 0; times--) {
    size_t at = place(data, size);
    switch (dice(8)) {
      case 0:
      case 1: data[at] ^= (unsigned char)(1u << dice(8)); break;
      case 2: data[at] = (unsigned char)dice(256); break;
      case 3:
      case 4:
      case 5: put_field(data, size, at); break;
      case 6: data[at] = (unsigned char)(data[at] + (dice(2) ? 1 : 255)); break;
      default: {
        int other = (int)dice((uint64_t)seeds);
        size_t from = dice(seed_size[other]), length = 1 + dice(64);
        if (length > seed_size[other] - from) length = seed_size[other] - from;
        if (length > size - at) length = size - at;
        memcpy(data + at, seed_data[other] + from, length);
      }
    }
  }
  return dice(32) ? size : 1 + dice(size);
}

static void save(const char *name, const unsigned char *data, size_t size) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd)) {
    perror(name);
    _exit(98);
  }
}

static void load_seeds(char **files, int count) {
  for (int k = 0; k < count && seeds < SEEDS; k++) {
    FILE *f = fopen(files[k], "rb");
    unsigned char *data = malloc(MOST);
    size_t size = f && data ? fread(data, 1, MOST, f) : 0;
    if (f) fclose(f);
    if (size == 0) continue;
    seed_data[seeds] = data;
    seed_size[seeds++] = size;
  }
  if (seeds == 0) {
    fputs("no seed files\n", stderr);
    exit(64);
  }
}

/* ---- Workers ------------------------------------------------------------------------------ */

/* Whose code a signal came from: the first of the stack that is neither the C library's nor a
 * handler's.  OURS if it is this program. */
static void on_crash(int number) {
  void *stack[64];
  Dl_info self, info;
  int depth = backtrace(stack, 64);
  dladdr((void *)inspect, &self);
  for (int k = 1; k < depth; k++) { /* 0 is this function */
    if (!dladdr(stack[k], &info) || !info.dli_fname) continue;
    if (strstr(info.dli_fname, "libc.so") || strstr(info.dli_fname, "libpthread")) continue;
    _exit(info.dli_fbase == self.dli_fbase ? OURS : number);
  }
  _exit(number);
}

static void be_worker(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  static char alternative[1 << 16];
  const stack_t stack = {.ss_sp = alternative, .ss_size = sizeof alternative};
  struct rlimit memory = {3ul << 30, 3ul << 30}, none = {0, 0};
  struct sigaction action;
  void *frame[1];
  backtrace(frame, 1); /* loads what it needs while all is well */
  memset(&action, 0, sizeof action);
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | (int)SA_RESETHAND;
  sigaltstack(&stack, NULL);
  for (int k = 0; k < 5; k++) sigaction(numbers[k], &action, NULL);
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &none);
  /* abort() of the C library says why on the terminal */
  if (!freopen("/dev/null", "w", stderr)) _exit(98);
}

/* Looks at one file in a process of its own. */
static int judge(const char *name) {
  int how = 0;
  pid_t pid = fork();
  if (pid == 0) {
    pf_h5_guard guard;
    pfft3d_error e;
    pf_error_clear(&e);
    be_worker();
    if (pf_h5_begin_local(&guard, &e)) _exit(98);
    alarm(SECONDS);
    inspect(name);
    _exit(0);
  }
  if (pid < 0 || waitpid(pid, &how, 0) < 0) return 98;
  return WIFEXITED(how) && (WEXITSTATUS(how) == OURS || WEXITSTATUS(how) == 98);
}

/* Goes through numbers until the end or its death; the next one to do is printed. */
static void work(uint64_t seed, long end, const char *name) {
  static unsigned char data[MOST];
  pf_h5_guard guard;
  pfft3d_error e;
  pf_error_clear(&e);
  be_worker();
  if (pf_h5_begin_local(&guard, &e)) _exit(98);
  for (; tell->number < end; tell->number++) {
    save(name, data, mutant(seed, tell->number, data));
    alarm(SECONDS);
    if (inspect(name))
      tell->accepted++;
    else
      tell->refused++;
  }
  _exit(0);
}

/* Runs numbers from tell->number to `end` in a process; its wait status. */
static int run_worker(uint64_t seed, long end, const char *name) {
  int how = 0;
  pid_t pid = fork();
  if (pid == 0) work(seed, end, name);
  if (pid < 0 || waitpid(pid, &how, 0) < 0) exit(98);
  return how;
}

static int is_ours(int how) {
  return WIFEXITED(how) && (WEXITSTATUS(how) == OURS || WEXITSTATUS(how) == 98);
}

static int campaign(long count, uint64_t seed, const char *directory) {
  char name[4096];
  long wrong = 0, contained = 0, late = 0, disorder = 0;
  snprintf(name, sizeof name, "%s/fuzz-%ld.h5", directory, (long)getpid());
  tell = mmap(NULL, sizeof *tell, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tell == MAP_FAILED) return 98;
  while (tell->number < count) {
    long end = tell->number + BATCH; /* a fresh process now and then: what leaks does not add up */
    int how = run_worker(seed, end < count ? end : count, name);
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0) continue;
    long number = tell->number;
    if (is_ours(how) && is_ours(run_worker(seed, number + 1, name))) {
      wrong++;
      printf("wrong: fuzz_probe --mutant %llu %ld\n", (unsigned long long)seed, number);
    } else if (is_ours(how)) {
      disorder++; /* of an earlier file: it needs the memory that that one had spoiled */
    } else if (WIFSIGNALED(how) && WTERMSIG(how) == SIGALRM) {
      late++;
    } else {
      contained++;
    }
    tell->number = number + 1;
  }
  unlink(name);
  printf(
      "seed %llu: %ld accepted, %ld refused, contained: %ld crashes of libhdf5, %ld endless, %ld "
      "in memory spoiled before\n",
      (unsigned long long)seed, tell->accepted, tell->refused, contained, late, disorder);
  printf("tried %ld wrong %ld\n", count, wrong);
  return wrong != 0;
}

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();

int main(int argc, char **argv) {
  pf_h5_guard guard;
  pfft3d_error e;
  pf_error_clear(&e);
  if (argc != 2 || pf_h5_begin_local(&guard, &e)) return 64;
  __AFL_INIT();
  const unsigned char *data = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(BATCH)) {
    save(argv[1], data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    inspect(argv[1]);
  }
  return 0;
}
#else
int main(int argc, char **argv) {
  static unsigned char data[MOST];
  pf_h5_guard guard;
  pfft3d_error e;
  pf_error_clear(&e);
  if (argc == 3 && strcmp(argv[1], "--one") == 0) {
    if (pf_h5_begin_local(&guard, &e)) return 98;
    puts(inspect(argv[2]) ? "accepted" : "refused");
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "--judge") == 0) return judge(argv[2]);
  if (argc > 5 && strcmp(argv[1], "--mutant") == 0) {
    load_seeds(argv + 5, argc - 5);
    save(argv[4], data, mutant(strtoull(argv[2], NULL, 10), atol(argv[3]), data));
    return 0;
  }
  if (argc < 5) {
    fputs("usage: fuzz_probe COUNT SEED DIRECTORY FILE...\n", stderr);
    return 64;
  }
  load_seeds(argv + 4, argc - 4);
  return campaign(atol(argv[1]), strtoull(argv[2], NULL, 10), argv[3]);
}
#endif
