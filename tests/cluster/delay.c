/* SPDX-License-Identifier: BSD-3-Clause
 * A switch whose frames are a while on their way, for kernels whose traffic control cannot delay:
 *   delay MICROSECONDS PORT PORT ...
 * Ports are network interfaces; frames that arrive at one leave by that of their destination, all
 * after the same time, so that one queue holds them in the order of arrival.  Rates are limited
 * where frames leave, by the kernel.  Frames keep what the kernel knows of them (struct
 * virtio_net_hdr): it takes 64 KiB of a TCP stream for one, which keeps 10 Gb/s affordable.  Runs
 * before other processes where that is allowed, since ranks that wait for messages use all cores.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PORTS = 8, FRAME = 1 << 17, BUFFER = 256 << 20, AT_ONCE = 32 };
enum { HEAD = sizeof(struct virtio_net_hdr) };

typedef struct frame {
  struct frame *next;
  long long due; /* ns */
  size_t length;
  int from;
  unsigned char bytes[]; /* virtio_net_hdr, then destination and source, 6 bytes each, and so on */
} frame;

static struct pollfd port[PORTS];
static unsigned char address[PORTS][ETH_ALEN]; /* source of the last frame */
static int ports;
static frame *first, **last = &first;

static void fail(const char *what) {
  fprintf(stderr, "delay: %s: %s\n", what, strerror(errno));
  exit(1);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* A socket for all that arrives at an interface, and for sending there.  What the kernel holds for
 * us may be as much as a slow port makes it, so that nothing is lost. */
static int open_port(const char *name) {
  int one = 1, size = BUFFER;
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
  at.sll_ifindex = (int)if_nametoindex(name);
  int s = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);
  if (!at.sll_ifindex || s < 0 || setsockopt(s, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof one) ||
      setsockopt(s, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one) ||
      setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) ||
      setsockopt(s, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) ||
      bind(s, (struct sockaddr *)&at, sizeof at))
    fail(name);
  return s;
}

static void take(int from, const unsigned char *bytes, size_t length, long long due) {
  frame *f = malloc(sizeof *f + length);
  if (!f) fail("a frame");
  f->next = NULL;
  f->due = due;
  f->length = length;
  f->from = from;
  memcpy(f->bytes, bytes, length);
  memcpy(address[from], bytes + HEAD + ETH_ALEN, ETH_ALEN);
  *last = f;
  last = &f->next;
}

/* To the port of its destination, or to all others if that is unknown or many. */
static void leave(const frame *f) {
  const unsigned char *to = f->bytes + HEAD;
  int only = -1;
  for (int i = 0; i < ports; i++)
    if (!memcmp(address[i], to, ETH_ALEN)) only = i;
  for (int i = 0; i < ports; i++)
    if (i != f->from && (only < 0 || only == i) && write(port[i].fd, f->bytes, f->length) < 0)
      fprintf(stderr, "delay: a frame is lost: %s\n", strerror(errno));
}

static void deliver(void) {
  for (frame *f = first; f && f->due <= now(); f = first) {
    leave(f);
    first = f->next;
    if (!first) last = &first;
    free(f);
  }
}

int main(int count, char **word) {
  static unsigned char bytes[FRAME];
  const struct sched_param before_others = {.sched_priority = 1};
  if (count < 4 || count - 2 > PORTS) {
    fprintf(stderr, "usage: delay MICROSECONDS PORT PORT ...\n");
    return 64;
  }
  long long delay = atoll(word[1]) * 1000;
  ports = count - 2;
  for (int i = 0; i < ports; i++)
    port[i] = (struct pollfd){.fd = open_port(word[2 + i]), .events = POLLIN};
  if (sched_setscheduler(0, SCHED_FIFO, &before_others))
    fprintf(stderr, "delay: not before other processes: delays vary when cores are busy\n");
  prctl(PR_SET_TIMERSLACK, 1UL);
  for (;;) {
    deliver();
    long long left = first ? first->due - now() : 0;
    if (left < 0) left = 0;
    struct timespec t = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
    if (ppoll(port, (nfds_t)ports, first ? &t : NULL, NULL) < 0) fail("poll");
    long long due = now() + delay;
    for (int i = 0; i < ports; i++)
      for (int k = 0; k < AT_ONCE && port[i].revents & POLLIN; k++) {
        ssize_t length = read(port[i].fd, bytes, sizeof bytes);
        if (length < HEAD + ETH_HLEN) break;
        take(i, bytes, (size_t)length, due);
      }
  }
}
