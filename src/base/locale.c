/* SPDX-License-Identifier: BSD-3-Clause
 * The locale "C" for a thread; setlocale() would be for the whole process. */
#include "base/locale.h"

#include <stdlib.h>

pf_locale pf_locale_plain(void) {
  pf_locale l = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  if (l.plain) l.before = uselocale(l.plain);
  return l;
}

void pf_locale_restore(pf_locale *l) {
  if (!l->plain) return;
  uselocale(l->before);
  freelocale(l->plain);
}

double pf_strtod(const char *text, char **end) {
  pf_locale l = pf_locale_plain();
  double value = strtod(text, end);
  pf_locale_restore(&l);
  return value;
}
