# Turns GitHub Markdown into that of Doxygen 1.9, whose headings have no anchors for links: each gets a label, and links
# to other files become references to labels. The heading "Port models" of machines.md has the label
# machines-port-models, the page itself machines.

function page_of(path) {
  if (path ~ /algorithms\/README\.md$/ || (path == "README.md" && folder ~ /algorithms$/)) return "algorithms"
  if (path ~ /tests\/README\.md$/) return "tests"
  if (path ~ /README\.md$/) return "index"
  sub(/\.md$/, "", path)
  sub(/^.*\//, "", path)
  return tolower(path)
}

# The anchor that GitHub makes from a heading.
function slug_of(heading) {
  heading = tolower(heading)
  gsub(/[^a-z0-9 _-]/, "", heading)
  gsub(/ /, "-", heading)
  return heading
}

function with_references(line,  before, target, parts) {
  before = ""
  while (match(line, /\]\([^():]*\.md(#[^)]*)?\)|\]\(#[^)]*\)/)) {
    target = substr(line, RSTART + 2, RLENGTH - 3)
    split(target, parts, "#")
    before = before substr(line, 1, RSTART) "(@ref " (parts[1] == "" ? page : page_of(parts[1])) \
             (parts[2] == "" ? "" : "-" parts[2]) ")"
    line = substr(line, RSTART + RLENGTH)
  }
  return before line
}

FNR == 1 {
  folder = FILENAME
  sub(/\/[^\/]*$/, "", folder)
  page = page_of(FILENAME)
}
/^ *```/ { is_code = !is_code }
is_code || /^ *```/ || /\{#[a-z0-9-]+\}$/ { print; next }  # a page of the program's has labels
/^#+ / {
  heading = $0
  sub(/^#+ /, "", heading)
  if (/^# /) print $0 " {#" (page == "index" ? "mainpage" : page) "}"
  else print $0 " {#" page "-" slug_of(heading) "}"
  next
}
{
  line = begun $0
  begun = ""
  prose = line
  gsub(/`[^`]*`/, "", prose)
  # A reference has its text on one line.
  if (gsub(/\[/, "", prose) > gsub(/\]/, "", prose) && !/^$/) begun = line " "
  else print with_references(line)
}
