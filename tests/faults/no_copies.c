/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of a container that refuses copies between processes, by LD_PRELOAD. */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/uio.h>

#define REFUSED(name)                                                                    \
  ssize_t name(pid_t process, const struct iovec *local, unsigned long locals,           \
               const struct iovec *remote, unsigned long remotes, unsigned long flags) { \
    (void)process, (void)local, (void)locals, (void)remote, (void)remotes, (void)flags;  \
    errno = EPERM;                                                                       \
    return -1;                                                                           \
  }
REFUSED(process_vm_readv)
REFUSED(process_vm_writev)
