#pragma once

#include "lockstep/machines/storage_form.hpp"

// How far a conversion takes data at least, whatever its method (johnsson-ho.md, Conversion).
namespace lockstep::convert {

/// Of the ways from where elements are in one form to where they are in another; of the same addresses.
struct ConversionDistance {
  unsigned dimensions = 0;  ///< that change; half of all elements have to cross each
  unsigned greatest = 0;    ///< dimensions that some element has to cross
};

/// The forms have equally many dimensions. Time in proportion to 2^s times the dimensions, where s of the changes are
/// sums of others: half of the dimensions at most if each is a bit for a bit.
ConversionDistance distance_between(const StorageForm& before, const StorageForm& after);

}  // namespace lockstep::convert
