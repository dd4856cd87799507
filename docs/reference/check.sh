#!/usr/bin/env bash
# check.sh DIRECTORY [WARNINGS]: prints the errors of the HTML in the directory, one per line, and fails if there are any:
# dead links, and the warnings of Doxygen, above all names without a text.
set -euo pipefail

# Members that need no text, being the same for every type (comparison, copying, moving, iteration), and parameters of
# methods, which contain their meaning.
common='Member (operator(=|==|<=>|\+\+)\(|(begin|end)\(\) const '
common+='|([A-Za-z]+)\((const )?\4(<[^>]*>)? ?&|[a-z]+_parameter \()'

# "from.html to.html#place" for every link of the pages, and "page.html#place" for every place.
links() { grep -oHE '(href|src)="[^"]*"' -- *.html | sed -E 's/^([^:]*):(href|src)="([^"]*)"$/\1 \3/' | sort -u; }
places() { grep -oHE '(id|name)="[^"]*"' -- *.html | sed -E 's/^([^:]*):(id|name)="([^"]*)"$/\1#\3/' | sort -u; }

warnings() { sed "s#^$PWD/##" "$1" | grep -vE "$common" || true; }

dead_links() {
  awk '
    NR == FNR { places[$0]; next }
    $2 ~ /^(https?|mailto|javascript):/ { next }
    $2 ~ /#nested-classes$/ { next }  # to private ones, which are not shown: the style sheet hides the link
    {
      file = $2; sub(/#.*/, "", file); if (file == "") file = $1
      place = $2; if (!sub(/^[^#]*#/, "", place)) place = ""
      if (!(file in is_there)) is_there[file] = system("test -e \"" file "\"") == 0
      if (!is_there[file]) print $1 ": no file " file
      else if (place != "" && !((file "#" place) in places)) print $1 ": no place " place " in " file
    }' <(places) <(links)
}

compgen -G "$1/*.html" >/dev/null || { echo "no pages in $1"; exit 1; }
[[ -z ${2:-} || -e $2 ]] || { echo "no file $2"; exit 1; }
wrong=$([[ -z ${2:-} ]] || warnings "$2"; cd "$1"; dead_links)
[[ -z $wrong ]] && exit
printf '%s\n' "$wrong"
exit 1
