#include "picture.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "host/child_process.hpp"
#include "host/interrupt.hpp"
#include "host/output_file.hpp"
#include "lockstep/core/printable.hpp"
#include "pgfplots.hpp"
#include "run/failure.hpp"

namespace lockstep::cli::report {
namespace {

namespace fs = std::filesystem;

/// Whether the process ends with exit code 0. Throws Interrupted if the user interrupts.
bool ends_well(host::ChildProcess& child) {
  const host::PatientWait wait;
  while (!child.status()) wait.pause();
  const int status = *child.status();
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Runs gnuplot in that directory, without the user's settings and apart from the terminal. Returns an error, or an
/// empty text. Throws Interrupted.
std::string gnuplot(const std::string& directory, const std::string& terminal, const std::string& commands,
                    const std::string& picture) {
  host::ChildProcess child(
      {.words = {"gnuplot", "-d", "-e", terminal + "; set output " + gnuplot_literal(picture), "./" + commands},
       .directory = directory});
  const int error = child.error();
  if (error == ENOENT) return "gnuplot is not installed: sudo apt-get install gnuplot-nox";
  if (error != 0) return std::string("gnuplot cannot be started: ") + std::strerror(error);
  std::error_code none;
  return ends_well(child) && fs::file_size(picture, none) > 0 ? "" : "gnuplot failed";
}

/// The text quoted for a shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

/// Hundredths as a number: "22.05".
std::string hundredths(std::size_t number) {
  const std::string digits = std::to_string(number % 100);
  return std::to_string(number / 100) + (digits.size() == 1 ? ".0" : ".") + digits;
}

/// The command that chooses the terminal for that ending, without single quotes: a shell's word is in those. The size
/// leaves the same room to curves whatever the legend beside them.
std::string terminal_for(std::string_view ending, const GnuplotScript& script, std::size_t drawings) {
  constexpr std::size_t line = 20;  // all these are in pixels
  constexpr std::size_t letter = 9;
  const std::size_t width = 650 + letter * script.letters;
  const std::size_t height = std::max(600 * drawings, line * (script.lines + 5 * drawings));
  const std::string pixels = std::to_string(width) + "," + std::to_string(height);
  if (ending == ".png") return "set terminal pngcairo size " + pixels + " font \"sans,11\"";
  if (ending == ".svg") return "set terminal svg size " + pixels + " dynamic font \"sans,13\" background \"white\"";
  const auto centimetres = [](std::size_t length) { return hundredths(length * 5 / 2) + "cm"; };
  return "set terminal pdfcairo size " + centimetres(width) + "," + centimetres(height) +
         " font \"sans,8\" fontscale 1";
}

bool is_of_commands(std::string_view ending) { return ending == ".gp" || ending == ".gnuplot"; }

}  // namespace

int code_after(int code, const std::function<void()>& draw) {
  try {
    draw();
  } catch (const OutputError& error) {
    if (code == host::verified) throw;
    run::print_line(error.what());
  }
  return code;
}

Picture::Picture(const std::string& path) : path_(path) {
  const fs::path name(path);
  const std::string ending = name.extension();
  const bool is_drawn = ending == ".svg" || ending == ".pdf" || ending == ".png";
  if ((!is_drawn && !is_of_commands(ending) && !is_tex()) || printable(path) != path) {
    throw InputError("--plot " + quoted(path) +
                     " is not the name of a picture: FILE.svg, .pdf, .png, .tex, .gp or .gnuplot");
  }
  if (is_drawn) commands_path_ = fs::path(name).replace_extension(".gp").string();
  if (is_of_commands(ending)) commands_path_ = path;
  if (!is_tex()) data_path_ = fs::path(name).replace_extension(".dat").string();
  for (const host::NamedFile& file : files()) check_replaceable(file.path);
}

std::vector<host::NamedFile> Picture::files() const {
  std::vector<host::NamedFile> all{{"--plot", path_}};
  if (is_tex()) return all;
  if (commands_path_ != path_) all.push_back({"the commands of --plot", commands_path_});
  all.push_back({"the data of --plot", data_path_});
  return all;
}

bool Picture::is_tex() const { return fs::path(path_).extension() == ".tex"; }

std::string Picture::data_name() const { return fs::path(data_path_).filename().string(); }

void Picture::draw(const Plot& plot) const {
  const PlotDrawing drawing = drawing_of(plot);
  if (drawing.curves.empty()) throw OutputError(path_, "there is no exact figure to draw");
  if (is_tex()) {
    host::OutputFile(path_).write(pgfplots_text(plot, drawing));
  } else {
    draw(gnuplot_script(plot, drawing, data_name()));
  }
}

void Picture::draw(const std::vector<WinnerMap>& maps) const {
  if (maps.empty()) throw OutputError(path_, "there is no exact figure to draw");
  if (is_tex()) {
    host::OutputFile(path_).write(pgfplots_text(maps));
  } else {
    draw(gnuplot_script(maps, data_name()), maps.size());
  }
}

void Picture::draw(const GnuplotScript& script, std::size_t drawings) const {
  const fs::path picture(path_);
  const std::string ending = picture.extension();
  const std::string commands_name = fs::path(commands_path_).filename().string();
  const std::string terminal = terminal_for(ending, script, drawings);
  const std::string drawn_name =
      is_of_commands(ending) ? picture.stem().string() + ".pdf" : picture.filename().string();
  const std::string by_hand =
      "gnuplot -e '" + terminal + "' " + shell_word("./" + commands_name) + " > " + shell_word(drawn_name);
  host::OutputFile(data_path_).write(script.data);
  host::OutputFile(commands_path_).write("# " + by_hand + "\n" + script.commands);
  if (is_of_commands(ending)) return;
  NewFile drawn(path_);
  const fs::path directory = picture.has_parent_path() ? picture.parent_path() : fs::path(".");
  const std::string name = fs::absolute(drawn.name()).string();
  if (const std::string wrong = gnuplot(directory.string(), terminal, commands_name, name); !wrong.empty()) {
    const std::string cd = picture.has_parent_path() ? "cd " + shell_word(directory.string()) + " && " : "";
    throw OutputError(path_, wrong + "; its commands and data are there: " + cd + by_hand);
  }
  drawn.put_in_place();
}

}  // namespace lockstep::cli::report
