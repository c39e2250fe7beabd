/* SPDX-License-Identifier: BSD-3-Clause
 * The registry of exchanges. */
#include <string.h>

#include "exchange/exchange.h"

static const pf_exchange_ops *const exchanges[] = {
#define PF_EXCHANGE(name) &pf_exchange_##name,
#include "exchange/exchange_list.h"
#undef PF_EXCHANGE
};

const pf_exchange_ops *pf_exchange_at(int index) {
  int count = (int)(sizeof exchanges / sizeof *exchanges);
  return index >= 0 && index < count ? exchanges[index] : NULL;
}

const pf_exchange_ops *pf_exchange_find(const char *name) {
  for (int i = 0; pf_exchange_at(i); i++)
    if (!strcmp(pf_exchange_at(i)->name, name)) return pf_exchange_at(i);
  return NULL;
}
