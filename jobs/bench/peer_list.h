/* SPDX-License-Identifier: BSD-3-Clause
 * The peers, one line each; the first is the one with which all others are compared.  PEER(name)
 * stands for `const peer peer_name`, which peer_name.c defines. */
PEER(fftw)
PEER(mkl)
PEER(spfft)
PEER(pfft3d)
