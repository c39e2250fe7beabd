dnl SPDX-License-Identifier: BSD-3-Clause
dnl PF_MPIS(VARIABLE): sets it to the MPI libraries that conftest, just linked, loads: those that it and
dnl the shared libraries that the linker reads need, and the files that it reads as MPI, since two versions
dnl of one MPI have the same name.  The tools are those for the machine of the program, which ldd is not.
AC_DEFUN([PF_MPIS],
[pf_files=`$CC -o conftest$ac_exeext $CFLAGS $CPPFLAGS $LDFLAGS -Wl,-t conftest.$ac_ext $LIBS 2>&1 |
   $GREP '\.so' | tr '()' '  '`
 $1=`for pf_file in conftest$ac_exeext $pf_files; do
   AS_CASE([$pf_file], [*/libmpi.so*|*/libmpich.so*|*/libmpi_abi.so*], [readlink -f "$pf_file"])
   $OBJDUMP -p "$pf_file" 2>/dev/null | $SED -n 's/^ *NEEDED *\(libmpi\(ch\|_abi\)*\.so.*\)/\1/p'
 done | sort -u`])

dnl PF_LINK_MPI(PROGRAM, ONE, NONE, TWO): ONE when the program links and loads the MPI that $pf_own_mpi
dnl names, NONE when it does not link, TWO when it would load another one, alone or beside it: a library
dnl may bring the path of its own.
AC_DEFUN([PF_LINK_MPI],
[AC_LINK_IFELSE([$1],
  [PF_MPIS([pf_mpis])
   AS_IF([test "$pf_mpis" = "$pf_own_mpi"], [$2], [$4])],
  [$3])])
