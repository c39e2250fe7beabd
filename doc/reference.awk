# SPDX-License-Identifier: BSD-3-Clause
# Makes the reference of the library from the comments of its headers:
#   awk -f doc/reference.awk -v format=markdown include/pfft3d.h ...       a page of the site
#   awk -f doc/reference.awk -v frame=doc/pfft3d.3.in include/pfft3d.h ... the man page, in mdoc(7)
# With -v examples="doc/examples/calls.c ..." the page shows for each function the lines behind a comment
# "Example: NAME ...", up to the next empty one; -v format=missing lists functions without an example.
# A comment that begins a line describes the declarations behind it, up to the next such comment or
# an empty line; "---- Title ----" begins a section; the comment with the licence describes the
# header.  In comments `x`, @p x and names of the library are code, lines that are indented by
# three blanks more than the text are examples.

BEGIN {
  man = format != "markdown"
  example_files = split(examples, example_file, " ")
  for (i = 1; i <= example_files; i++) read_examples(example_file[i])
}

# Sets example_of[function], without the indent.
function read_examples(file,   line, n, named, k) {
  while ((getline line <file) > 0) {
    if (line ~ /^ *\/\* Example: /) {
      sub(/^ *\/\* Example: /, "", line)
      sub(/ *\*\/.*/, "", line)
      n = split(line, named, " ")
    } else if (line ~ /^$/) n = 0
    else {
      sub(/^  /, "", line)
      for (k = 1; k <= n; k++) example_of[named[k]] = example_of[named[k]] line "\n"
    }
  }
  close(file)
}

# The examples of the functions of an item, each once.
function print_examples(item,   n, named, k, shown) {
  n = split(item_names[item], named, "\n")
  for (k = 1; k <= n; k++)
    if (named[k] in example_of && index(shown, example_of[named[k]]) == 0) {
      printf "\n%s\n\n```c\n%s```\n", shown == "" ? "For example:" : "Or:", example_of[named[k]]
      shown = shown example_of[named[k]]
    }
}

function flush_item(   i, all) {
  if (code == "") { if (text != "" && !seen_text) head[files] = text; text = ""; return }
  seen_text = 1
  items++
  item_file[items] = files
  item_section[items] = section
  item_text[items] = text
  item_code[items] = code
  all = names_of(code)
  item_names[items] = all
  code = text = ""
}

# The functions that a declaration declares, else the type that it defines.
function names_of(declaration,   rest, found, name) {
  rest = declaration
  if (declaration !~ /^(typedef|enum|struct|#)/ || declaration ~ /\n[a-z][^\n]*pfft3d_[a-z0-9_]*\(/) {
    while (match(rest, /(^|[ *\n])pfft3d_[a-z0-9_]*\(/)) {
      name = substr(rest, RSTART, RLENGTH - 1)
      sub(/^[ *\n]/, "", name)
      if (index("\n" found "\n", "\n" name "\n") == 0) found = found (found == "" ? "" : "\n") name
      functions[++function_count] = name
      rest = substr(rest, RSTART + RLENGTH)
    }
  }
  if (found != "") return found
  rest = declaration
  while (match(rest, /typedef (enum|struct) pfft3d_[a-z0-9_]*/)) {
    name = substr(rest, RSTART, RLENGTH)
    sub(/.* /, "", name)
    found = found (found == "" ? "" : "\n") name
    rest = substr(rest, RSTART + RLENGTH)
  }
  if (found == "" && match(declaration, /PFFT3D_[A-Z0-9_]*/))
    found = substr(declaration, RSTART, RLENGTH)
  return found
}

FNR == 1 { if (NR > 1) flush_item(); files++; section = ""; seen_text = 0; in_comment = 0
           file_name[files] = FILENAME; sub(/.*\//, "", file_name[files]) }

# A comment that begins a line.
!in_comment && /^\/\*/ {
  flush_item()
  in_comment = 1
  text = ""
  sub(/^\/\*+ ?/, "")
}
in_comment {
  line = $0
  last = line ~ /\*\/[ \t]*$/
  sub(/[ \t]*\*\/[ \t]*$/, "", line)
  sub(/^ \* ?/, "", line)
  sub(/^ /, "", line) # the second blank of " *  text"
  if (line ~ /^-----* /) {
    sub(/^-+ */, "", line)
    sub(/ *-*$/, "", line)
    section = line
    text = ""
  } else if (line !~ /SPDX-License/)
    text = text line "\n"
  if (last) in_comment = 0
  next
}

/^$/ { if (code != "" && depth == 0) flush_item(); next }
/^(#|extern "C"|}|struct [a-z0-9_]*;)/ && depth == 0 && !/^#define PFFT3D_[A-Z]/ { next }
/^#define PFFT3D_[A-Z0-9]*_?H$/ { next }
{
  code = code $0 "\n"
  opened = gsub(/{/, "{")
  closed = gsub(/}/, "}")
  depth += opened - closed
}

# ---- Text --------------------------------------------------------------------------------------

# A line of a comment with its marks: code is between the characters 1 and 2.
function mark(s,   out, name) {
  gsub(/@(p|param) /, "@", s)
  while (match(s, /`[^`]*`|<pfft3d[a-z0-9_]*\.h>|@[A-Za-z_][A-Za-z_0-9]*|(pfft3d|PFFT3D|MPI)_[A-Za-z_0-9]+(\(\))?/)) {
    name = substr(s, RSTART, RLENGTH)
    gsub(/^[`@]|`$/, "", name)
    out = out plain(substr(s, 1, RSTART - 1)) coded(name)
    s = substr(s, RSTART + RLENGTH)
  }
  return line_of(out plain(s))
}

# A line that roff does not take for a request.
function line_of(s) {
  return man && s ~ /^[.']/ ? "\\&" s : s
}

function plain(s) {
  if (man) {
    gsub(/\\/, "\\e", s)
    return s
  }
  gsub(/\*/, "\\*", s)
  gsub(/_/, "\\_", s)
  gsub(/</, "\\&lt;", s)
  gsub(/\[/, "\\[", s)
  return s
}

function coded(s) {
  if (!man) return "`" s "`"
  gsub(/-/, "\\-", s)
  return "\\fB" s "\\fR"
}

# Lines of code, as they are.
function literal(s) {
  if (!man) return s
  gsub(/\\/, "\\e", s)
  gsub(/-/, "\\-", s)
  return line_of(s)
}

function print_text(all,   n, lines, i, example, blank, colon) {
  n = split(all, lines, "\n")
  for (i = 1; i <= n; i++) {
    if (lines[i] ~ /^[ \t]*$/) { blank = 1; continue }
    if (lines[i] ~ /^   / && (blank || colon || example)) {
      if (!example) print man ? ".Bd -literal -offset indent" : "\n```text"
      example = 1
      sub(/^   /, "", lines[i])
      print literal(lines[i])
    } else {
      if (example) { print man ? ".Ed\n.Pp" : "```\n"; example = 0 }
      else if (blank) print man ? ".Pp" : ""
      sub(/^ +/, "", lines[i])
      print mark(lines[i])
      colon = lines[i] ~ /:$/
    }
    blank = 0
  }
  if (example) print man ? ".Ed" : "```"
}

function print_code(all,   n, lines, i) {
  gsub(/\/\*\*</, "/*", all)
  n = split(all, lines, "\n")
  print man ? ".Bd -literal" : "```c"
  for (i = 1; i < n; i++) print literal(lines[i])
  print man ? ".Ed" : "```"
}

function heading(i,   names) {
  names = item_names[i]
  gsub(/\n/, ", ", names)
  return names
}

# ---- Pages -------------------------------------------------------------------------------------

function print_reference(   f, i, last) {
  for (f = 1; f <= files; f++) {
    if (man) printf ".Ss %s\n", file_name[f]
    else printf "## %s\n\n", file_name[f]
    print_text(head[f])
    last = ""
    for (i = 1; i <= items; i++) {
      if (item_file[i] != f) continue
      if (item_section[i] != last && item_section[i] != "") {
        last = item_section[i]
        if (man) printf ".Ss %s: %s\n", file_name[f], last
        else printf "\n### %s\n", last
      }
      if (man) {
        print_code(item_code[i])
        print_text(item_text[i])
        print ".Pp"
      } else {
        printf "\n%s %s\n\n", last == "" ? "###" : "####", plain(heading(i))
        print_code(item_code[i])
        print ""
        print_text(item_text[i])
        print_examples(i)
      }
    }
  }
}

END {
  flush_item()
  if (format == "missing") {
    for (i = 1; i <= function_count; i++) if (!(functions[i] in example_of)) print functions[i]
    exit
  }
  if (!man) {
    print "# The library\n"
    if (examples != "")
      print "All functions, types and constants, from the comments of the headers. Examples are parts of" \
        " `doc/examples/calls.c`, `calls_tune.c` and `calls_files.c`, where `expect(x)` ends the program unless x is true.\n"
    print_reference()
    exit 0
  }
  while ((getline line < frame) > 0) {
    if (line == "@NAMES@")
      for (f = 1; f <= function_count; f++)
        printf ".Nm %s%s\n", functions[f], f < function_count ? " ," : ""
    else if (line == "@HEADERS@")
      for (f = 1; f <= files; f++) printf ".In %s\n", file_name[f]
    else if (line == "@REFERENCE@")
      print_reference()
    else
      print line
  }
}
