/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers in texts that programs read have a decimal point, whatever locale an application has set.
 */
#ifndef PF_BASE_LOCALE_H
#define PF_BASE_LOCALE_H

#include <locale.h>

/* The locale "C" of a thread, and the previous one; all zero if there was no memory for one. */
typedef struct pf_locale {
  locale_t plain, before;
} pf_locale;

/** Local. Sets the locale "C" for this thread only, until pf_locale_restore(). */
pf_locale pf_locale_plain(void);
void pf_locale_restore(pf_locale *locale);

/** Local. strtod() in the locale "C". */
double pf_strtod(const char *text, char **end);

#endif
