// Package lazy holds values that are made when they are first asked for.
// Unlike sync.OnceValue it needs no code at the start of the process.
package lazy

import "sync"

// Value is made by Make when it is first asked for.
type Value[T any] struct {
	Make func() T

	once  sync.Once
	value T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.value = v.Make() })
	return v.value
}
