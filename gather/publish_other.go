//go:build !iprof_off && !amd64

package gather

import "sync/atomic"

// publish writes a word after all that was written before it.
//
//go:norace
func publish(word *uint64, v uint64) { atomic.StoreUint64(word, v) }
