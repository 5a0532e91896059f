import Chat

/// An id made from a small number.
func id<Subject>(_ number: UInt64) -> ID<Subject> { ID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
