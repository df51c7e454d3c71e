// Files of generators: line directives that name other files, columns and paths.
package main

import (
	"fmt"
	"runtime"
)

//go:generate stringer -type=color

type color int

func main() {
	fmt.Println(color(1), color(7))
	fmt.Println(parse("a b c"))
	defer func() {
		r := recover()
		pc, file, line, _ := runtime.Caller(0)
		fmt.Println(r, runtime.FuncForPC(pc).Name(), file[len(file)-7:], line)
	}()
	fails()
}
