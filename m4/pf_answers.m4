dnl SPDX-License-Identifier: BSD-3-Clause
dnl PF_ANSWERS(NAME, PATTERN, WORDS): other values of --with-NAME, such as a folder, would count as "auto".
AC_DEFUN([PF_ANSWERS], [AS_CASE([$with_$1], [$2], [], [AC_MSG_ERROR([--with-$1=$with_$1: $3])])])
