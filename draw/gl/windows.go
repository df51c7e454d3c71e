//go:build windows && (!cgo || wgl)

package gl

import (
	"sync"
	"syscall"
	"unsafe"
)

// On Windows without cgo the package finds and calls OpenGL's functions itself. It calls no function with a
// floating-point parameter, because package syscall cannot pass floating-point numbers on every processor.

var (
	library           = syscall.NewLazyDLL("opengl32.dll")
	wglGetProcAddress = library.NewProc("wglGetProcAddress")

	// functions are the addresses of the functions. The table belongs to the process. Another context may use another
	// driver with functions of its own.
	functions struct {
		sync.Mutex
		at [numFunctions]uintptr
	}
)

// load fills the table. Missing functions get the address of glFlush, which is harmless. The context's version decides
// which functions are called.
func load() error {
	functions.Lock()
	defer functions.Unlock()
	flush := address("glFlush")
	if flush == 0 {
		return errNoFunctions
	}
	for i, name := range functionNames {
		if functions.at[i] = find(name); functions.at[i] == 0 {
			functions.at[i] = flush
		}
	}
	return nil
}

// find returns the address of a function, also by its older name, or 0.
func find(name string) uintptr {
	if at := address(name); at != 0 {
		return at
	}
	switch name {
	case "glBlendFuncSeparatei", "glBlendEquationSeparatei", "glVertexAttribDivisor":
		return address(name + "ARB")
	}
	return 0
}

// address asks the driver for a function, and then the library, which has the functions of OpenGL 1.1. Drivers return
// small numbers or -1 for missing functions.
func address(name string) uintptr {
	if library.Load() != nil || wglGetProcAddress.Find() != nil {
		return 0
	}
	text := append([]byte(name), 0)
	if at, _, _ := wglGetProcAddress.Call(uintptr(unsafe.Pointer(&text[0]))); at > 3 && at != ^uintptr(0) {
		return at
	}
	if proc := library.NewProc(name); proc.Find() == nil {
		return proc.Addr()
	}
	return 0
}

// call0 to call10 call a function with 0 to 10 arguments. Memory that the arguments point to is on the heap and does
// not move. A variadic function would allocate the arguments.

func call0(function int) uintptr { return first(syscall.SyscallN(functions.at[function])) }

//go:uintptrescapes
func call1(function int, a uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a))
}

//go:uintptrescapes
func call2(function int, a, b uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b))
}

//go:uintptrescapes
func call3(function int, a, b, c uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c))
}

//go:uintptrescapes
func call4(function int, a, b, c, d uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c, d))
}

//go:uintptrescapes
func call5(function int, a, b, c, d, e uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c, d, e))
}

//go:uintptrescapes
func call6(function int, a, b, c, d, e, f uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c, d, e, f))
}

//go:uintptrescapes
func call7(function int, a, b, c, d, e, f, g uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c, d, e, f, g))
}

//go:uintptrescapes
func call9(function int, a, b, c, d, e, f, g, h, i uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c, d, e, f, g, h, i))
}

//go:uintptrescapes
func call10(function int, a, b, c, d, e, f, g, h, i, j uintptr) uintptr {
	return first(syscall.SyscallN(functions.at[function], a, b, c, d, e, f, g, h, i, j))
}

// first returns the result of a C function.
func first(result, _ uintptr, _ syscall.Errno) uintptr { return result }

// word returns a bool as an argument.
func word(on bool) uintptr {
	if on {
		return 1
	}
	return 0
}

// text copies a text of the driver, which ends in a zero byte.
func text(at uintptr) string {
	if at == 0 {
		return ""
	}
	p := *(**byte)(unsafe.Pointer(&at)) // the driver's memory, never Go's
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// zeroed returns the bytes of a text up to its zero byte.
func zeroed(log []byte) string {
	for i, b := range log {
		if b == 0 {
			return string(log[:i])
		}
	}
	return string(log)
}
