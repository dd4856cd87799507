#include <iostream>

#include "command.hpp"
#include "manual_page.hpp"

// Writes the manual page to standard output; the build redirects it to a file.
int main() { std::cout << lockstep::cli::shell::manual_page(lockstep::cli::shell::shown_command()); }
