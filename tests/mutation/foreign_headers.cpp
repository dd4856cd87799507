// A target that owns the precompiled headers has to have a source.
