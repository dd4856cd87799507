// mpirun -n P mpi_collectives JOBS: runs the jobs of the file with MPI's collectives and writes the words that each
// rank holds afterwards. Uses and links nothing of Lockstep.
//
// The file has white space between words. A job is
//   collective NAME OPERATOR TYPE WORDS ROOT NUMBER..   WORDS of a block or a vector, then all data rank by rank
//   moves NAME WORDS NUMBER.. COUNT MOVE..              a schedule that is carried out with messages between two ranks
// where NAME says how much data there is, and a move is: cycle, sender, receiver, how many blocks, and the origin and
// the destination of each. The output has a line for every job and rank: the words that it has.
#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

int rank_of_this = 0;
int ranks = 1;

std::size_t size(int count) { return static_cast<std::size_t>(count); }

/// Words of one operand of the operator: a matrix has four.
constexpr int matrix_words = 4;

template <class Number>
MPI_Datatype number_type();
template <>
MPI_Datatype number_type<std::int64_t>() {
  return MPI_INT64_T;
}
template <>
MPI_Datatype number_type<double>() {
  return MPI_DOUBLE;
}

/// Products of 2x2 matrices, those of lower ranks on the left: `right[i] = left[i] right[i]`.
template <class Number>
void multiply(void* lefts, void* rights, int* count, MPI_Datatype*) {
  const Number* left = static_cast<const Number*>(lefts);
  Number* right = static_cast<Number*>(rights);
  for (int matrix = 0; matrix < *count; ++matrix, left += matrix_words, right += matrix_words) {
    const Number a = right[0], b = right[1], c = right[2], d = right[3];
    right[0] = left[0] * a + left[1] * c;
    right[1] = left[0] * b + left[1] * d;
    right[2] = left[2] * a + left[3] * c;
    right[3] = left[2] * b + left[3] * d;
  }
}

/// An operator of MPI and the type of its operands.
struct Reduction {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int words = 1;
  bool is_own = false;

  Reduction() = default;
  Reduction(const Reduction&) = delete;
  Reduction& operator=(const Reduction&) = delete;
  ~Reduction() {
    if (!is_own) return;
    MPI_Op_free(&op);
    MPI_Type_free(&type);
  }
};

template <class Number>
void choose(const std::string& name, Reduction& reduction) {
  const std::map<std::string, MPI_Op> known{{"sum", MPI_SUM},  {"min", MPI_MIN}, {"max", MPI_MAX},
                                            {"and", MPI_BAND}, {"or", MPI_BOR},  {"xor", MPI_BXOR}};
  if (name == "matrix2") {
    constexpr int is_commutative = 0;
    MPI_Op_create(multiply<Number>, is_commutative, &reduction.op);
    MPI_Type_contiguous(matrix_words, number_type<Number>(), &reduction.type);
    MPI_Type_commit(&reduction.type);
    reduction.words = matrix_words;
    reduction.is_own = true;
    return;
  }
  reduction.op = known.at(name);
  reduction.type = number_type<Number>();
}

/// Writes each rank's result in rank 0's output; plain messages bring it there.
template <class Number>
void write(const std::vector<Number>& result) {
  if (rank_of_this != 0) {
    const auto count = static_cast<int>(result.size());
    MPI_Send(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(result.data(), count, number_type<Number>(), 0, 1, MPI_COMM_WORLD);
    return;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<Number> words = result;
    if (rank != 0) {
      int count = 0;
      MPI_Recv(&count, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      words.resize(size(count));
      MPI_Recv(words.data(), count, number_type<Number>(), rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (const Number word : words) std::cout << word << ' ';
    std::cout << '\n';
  }
}

template <class Number>
std::vector<Number> read(std::istream& in, std::size_t count) {
  std::vector<Number> numbers(count);
  for (Number& number : numbers) in >> number;
  return numbers;
}

template <class Number>
void collective(std::istream& in, const std::string& name, const std::string& operator_name) {
  int words = 0, root = 0;
  in >> words >> root;
  const MPI_Datatype type = number_type<Number>();
  const bool is_root = rank_of_this == root;
  const std::size_t block = size(words), here = size(rank_of_this);
  const std::size_t blocks = name == "bcast" ? 1 : size(ranks) * (name == "alltoall" ? size(ranks) : 1);
  const std::vector<Number> all = read<Number>(in, block * blocks);
  const auto part = [&](std::size_t of) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(of * here);
    return std::vector<Number>(first, first + static_cast<std::ptrdiff_t>(of));
  };
  std::vector<Number> result;
  if (name == "bcast") {
    result = is_root ? all : std::vector<Number>(block);
    MPI_Bcast(result.data(), words, type, root, MPI_COMM_WORLD);
    return write(result);
  }
  if (name == "scatter") {
    result.resize(block);
    MPI_Scatter(is_root ? all.data() : nullptr, words, type, result.data(), words, type, root, MPI_COMM_WORLD);
    return write(result);
  }
  const std::vector<Number> own = part(name == "alltoall" ? block * size(ranks) : block);
  if (name == "gather") {
    result.resize(is_root ? block * size(ranks) : 0);
    MPI_Gather(own.data(), words, type, result.data(), words, type, root, MPI_COMM_WORLD);
    return write(result);
  }
  if (name == "allgather" || name == "alltoall") {
    result.resize(block * size(ranks));
    (name == "allgather" ? MPI_Allgather : MPI_Alltoall)(own.data(), words, type, result.data(), words, type,
                                                         MPI_COMM_WORLD);
    return write(result);
  }
  Reduction reduction;
  choose<Number>(operator_name, reduction);
  const int operands = words / reduction.words;
  result.resize(block);
  if (name == "reduce") {
    MPI_Reduce(own.data(), result.data(), operands, reduction.type, reduction.op, root, MPI_COMM_WORLD);
    if (!is_root) result.clear();
  } else if (name == "allreduce") {
    MPI_Allreduce(own.data(), result.data(), operands, reduction.type, reduction.op, MPI_COMM_WORLD);
  } else if (name == "reduce-scatter") {
    result.resize(block / size(ranks));
    MPI_Reduce_scatter_block(own.data(), result.data(), operands / ranks, reduction.type, reduction.op, MPI_COMM_WORLD);
  } else if (name == "scan") {
    MPI_Scan(own.data(), result.data(), operands, reduction.type, reduction.op, MPI_COMM_WORLD);
  } else if (name == "exscan") {
    MPI_Exscan(own.data(), result.data(), operands, reduction.type, reduction.op, MPI_COMM_WORLD);
    if (rank_of_this == 0) result.clear();  // MPI leaves it undefined
  } else {
    throw std::invalid_argument("no collective: " + name);
  }
  write(result);
}

using Number = std::int64_t;
using Blocks = std::map<std::pair<int, int>, std::vector<Number>>;  // by origin and destination

/// A message of a schedule.
struct BlocksMove {
  int cycle = 0;
  int from = 0;
  int to = 0;
  std::vector<std::pair<int, int>> blocks;
};

std::vector<BlocksMove> read_moves(std::istream& in) {
  std::size_t count = 0;
  in >> count;
  std::vector<BlocksMove> moves(count);
  for (BlocksMove& move : moves) {
    in >> move.cycle >> move.from >> move.to >> count;
    move.blocks.resize(count);
    for (auto& [origin, destination] : move.blocks) in >> origin >> destination;
  }
  return moves;
}

/// Sends and receives the blocks that move in one cycle; every rank sends blocks that it held before.
void carry_out(const std::vector<BlocksMove>& moves, std::size_t words, Blocks& held) {
  const Blocks before = held;
  std::vector<std::vector<Number>> buffers(moves.size());
  std::vector<MPI_Request> requests;
  for (std::size_t index = 0; index < moves.size(); ++index) {
    const BlocksMove& move = moves[index];
    std::vector<Number>& buffer = buffers[index];
    const auto count = static_cast<int>(move.blocks.size() * words);
    if (move.to == rank_of_this) {
      buffer.resize(size(count));
      MPI_Irecv(buffer.data(), count, MPI_INT64_T, move.from, 2, MPI_COMM_WORLD, &requests.emplace_back());
    } else if (move.from == rank_of_this) {
      for (const auto& block : move.blocks) {
        const std::vector<Number>& content = before.at(block);  // throws if the rank does not hold the block yet
        buffer.insert(buffer.end(), content.begin(), content.end());
      }
      MPI_Isend(buffer.data(), count, MPI_INT64_T, move.to, 2, MPI_COMM_WORLD, &requests.emplace_back());
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (std::size_t index = 0; index < moves.size(); ++index) {
    if (moves[index].to != rank_of_this) continue;
    auto from = buffers[index].begin();
    for (const auto& block : moves[index].blocks) {
      held[block].assign(from, from + static_cast<std::ptrdiff_t>(words));
      from += static_cast<std::ptrdiff_t>(words);
    }
  }
}

void carry_out_schedule(std::istream& in, const std::string& name) {
  std::size_t words = 0;
  in >> words;
  Blocks held;
  for (int origin = 0; origin < ranks; ++origin) {
    for (int destination = 0; destination < (name == "alltoall" ? ranks : 1); ++destination) {
      std::vector<Number> content = read<Number>(in, words);
      if (origin == rank_of_this) held[{origin, destination}] = std::move(content);
    }
  }
  const std::vector<BlocksMove> moves = read_moves(in);
  for (auto first = moves.begin(); first != moves.end();) {
    auto last = first;
    while (last != moves.end() && last->cycle == first->cycle) ++last;
    carry_out({first, last}, words, held);
    first = last;
  }
  std::vector<Number> result;
  for (int origin = 0; origin < ranks; ++origin) {
    const std::vector<Number>& content = held.at({origin, name == "alltoall" ? rank_of_this : 0});
    result.insert(result.end(), content.begin(), content.end());
  }
  write(result);
}

void do_all(std::istream& in) {
  for (std::string kind, name; in >> kind >> name;) {
    if (kind == "moves") {
      carry_out_schedule(in, name);
      continue;
    }
    std::string operator_name, type;
    in >> operator_name >> type;
    if (type == "double") {
      collective<double>(in, name, operator_name);
    } else {
      collective<std::int64_t>(in, name, operator_name);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_of_this);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::cout.precision(17);
  try {
    std::ifstream jobs(count == 2 ? words[1] : "");
    if (!jobs) throw std::invalid_argument("no file of jobs");
    do_all(jobs);
  } catch (const std::exception& error) {
    std::cerr << "mpi_collectives: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  std::cout.flush();
  MPI_Finalize();
}
