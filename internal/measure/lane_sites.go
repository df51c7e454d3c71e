//go:build !iprof_off

package measure

import (
	"unsafe"

	"example.com/iprof/internal/measure/internal/sites"
)

// zoneKey returns the key of a public zone: its address. No other zone gets it, because the zone table keeps the zone
// alive.
//
//go:norace
func zoneKey(z *Zone) uint64 { return uint64(uintptr(unsafe.Pointer(z))) }

// siteKey returns the key by which the hot path finds a private zone. It uses the address and the length of the name,
// not its text. Only sites with a kept text have nodes with such a key, so no other text can lie at that address: see
// package sites. The multiplication spreads the bits. Two sites get the same key only if 63 bits agree by chance.
//
//go:norace
func siteKey(pc uintptr, name string) uint64 {
	text := uint64(uintptr(unsafe.Pointer(unsafe.StringData(name))))
	return (text+uint64(len(name))<<48)*0x9E3779B97F4A7C15 ^ uint64(pc) | sites.KeyText
}

// rekey changes the key of a site's node that was made before the text was kept. Then the hot path finds it. The lane's
// goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) rekey(parent *node, key uint64) {
	if parent.flag&flagMirror != 0 {
		l.rekey(parent.mirrored(), key)
	}
	was := key &^ sites.KeyText // in the same kid slot
	n := l.find(parent, was)
	if n == nil {
		return
	}
	far := l.wide.find(parent, was) == n
	if far {
		l.wide.remove(n)
	}
	n.key = key
	n.rekeyForms()
	if far {
		l.wide.add(n)
	}
}

// shareText makes the zone's name point to a copy of the same text. The zone lives for ever, but a larger text that the
// name was sliced from need not. Others may read the name meanwhile: its length stays, and the pointer is one word.
//
//go:norace
func (z *Zone) shareText(name string) {
	if len(name) == len(z.Name) {
		*(**byte)(unsafe.Pointer(&z.Name)) = unsafe.StringData(name)
	}
}
