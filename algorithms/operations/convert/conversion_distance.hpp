#pragma once

#include "lockstep/machines/storage_form.hpp"

// The least distance over which any method moves the data of a conversion (johnsson-ho.md, Conversion).
namespace lockstep::convert {

/// The distances between the places of elements in two forms, over the same addresses.
struct ConversionDistance {
  unsigned dimensions = 0;  ///< that change; half of all elements have to cross each
  unsigned greatest = 0;    ///< dimensions that some element has to cross
};

/// Both forms have the same number of dimensions. Takes time in proportion to 2^s times the dimensions, where s of the
/// changes are sums of others: at most half of the dimensions if each change is a bit for a bit.
ConversionDistance distance_between(const StorageForm& before, const StorageForm& after);

}  // namespace lockstep::convert
