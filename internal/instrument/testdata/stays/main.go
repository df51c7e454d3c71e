// Package main says what a program can know of itself, and ends in many ways.
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"example.org/lib"
)

//go:embed own.go
var own string

func main() {
	work(time.Now())
	switch os.Args[1] {
	case "knows":
		knows()
	case "value":
		lib.Exit(3)
	case "flags":
		lib.Parse()
	case "fatal":
		log.New(os.Stderr, "", log.Lshortfile).Fatal("ends")
	case "signal":
		fmt.Println(lib.Saved())
	case "panic":
		go func() { panic("elsewhere") }()
		select {}
	case "deadlock":
		select {}
	case "goexit":
		go func() { work(time.Now()); fmt.Println("goes on"); os.Exit(6) }()
		runtime.Goexit()
	case "killed":
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
}

func work(start time.Time) {
	for time.Since(start) < 30*time.Millisecond {
		lib.Sum(1, 2, 3)
	}
}

func knows() {
	fmt.Println("goroutines", runtime.NumGoroutine())
	stacks := make([]byte, 1<<16)
	fmt.Println(strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "goroutine "))
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		panic(nil)
	}()
	info, _ := debug.ReadBuildInfo()
	fmt.Println(info)
	fmt.Println(len(os.Environ()), own)
	_, file, line, _ := runtime.Caller(0)
	text, err := os.ReadFile(file)
	fmt.Println(line, len(text), err)
	err = waiter{}.Wait()
	fmt.Println(err)
	a, b := fromOwn()
	fmt.Println(a, b)
}

type waiter struct{}

// Wait says who called it.
func (waiter) Wait() error {
	pc, _, line, _ := runtime.Caller(1)
	return errors.New(fmt.Sprint(runtime.FuncForPC(pc).Name(), line))
}
