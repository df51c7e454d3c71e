// This file is here because a function without a body needs one: see samples_unsafe.go.
