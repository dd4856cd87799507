#include <iostream>

#include "command.hpp"

// Writes the page for man to standard output: the build puts it into a file.
int main() { std::cout << lockstep::cli::manual(); }
