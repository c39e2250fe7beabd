/* SPDX-License-Identifier: BSD-3-Clause
 * Texts that fit the window. */
#ifndef PF_APP_COMMON_COLUMNS_H
#define PF_APP_COMMON_COLUMNS_H

/** Local. Columns of the window: COLUMNS of the environment, else those of the terminal on stdout, of
 * this process or of the launcher that has started it; else very many, as programs read lines. */
int columns(void);

/** Local. From columns_wrap() to columns_end() lines on stdout that are longer than the window are
 *  broken at blanks, after a comma or semicolon if possible; what follows is indented.  Returns
 * what columns_end() takes. */
int columns_wrap(void);
void columns_end(int kept);

#endif
