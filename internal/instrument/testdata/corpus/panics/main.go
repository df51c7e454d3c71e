// Panics, recover in deferred functions, named results, and the lines of stack traces.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

func safe(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	f()
	return nil
}

func named() (n int, err error) {
	defer func() { n *= 2 }()
	n = 21
	if n > 20 {
		return n, errors.New("large")
	}
	return n, nil
}

func where() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprint(file[strings.LastIndexByte(file, '/')+1:], ":", line)
}

func trace() []string {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	var list []string
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "main.") {
			list = append(list, fmt.Sprint(f.Function, ":", f.Line))
		}
		if !more {
			return list
		}
	}
}

func main() {
	fmt.Println(safe(func() { panic("boom") }))
	fmt.Println(named())
	fmt.Println(where(), trace())
	var m map[string]int
	fmt.Println(safe(func() { m["x"] = 1 }))
	defer fmt.Println("deferred calls run")
	if len(os.Args) > 5 {
		return
	}
	var p *struct{ x int }
	fmt.Println(p.x)
}
