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
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.org/lib"
)

//go:embed own.go
var own string

func main() {
	work(time.Now())
	if len(os.Args) > 2 {
		worksUntilRecorded(os.Args[2])
	}
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
	case "daemon":
		closesAll()
	case "closes":
		closesByNumber()
	case "numbers":
		fmt.Println(numbers())
	case "executes":
		program, _ := os.Executable()
		fmt.Println(syscall.Exec(program, []string{"stays", "works"}, os.Environ()))
	case "works":
		for range 10 {
			work(time.Now())
		}
	case "killed":
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	}
}

// closesAll does what daemons do at their start, and then uses a file of its own. What Go's poller has stays open.
func closesAll() {
	open, err := os.ReadDir("/proc/self/fd")
	fmt.Println(err)
	for _, e := range open {
		fd, _ := strconv.Atoi(e.Name())
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); fd > 2 && err == nil && to[0] == '/' {
			syscall.Close(fd)
		}
	}
	own, err := os.CreateTemp("", "daemon")
	fmt.Println(own.Fd() < 10, err)
	defer os.Remove(own.Name())
	for n := 1; n < 300; n++ {
		_ = syscall.Dup2(int(own.Fd()), 10+n)
	}
	for range 15 {
		work(time.Now())
	}
	_, err = own.WriteString("own")
	text, readErr := os.ReadFile(own.Name())
	fmt.Println(string(text), err, readErr)
}

// closesByNumber closes whatever is open when the program has run for a while. It uses neither files of package os nor
// timers, so it does not need Go's poller.
func closesByNumber() {
	var open syscall.Stat_t
	for fd := 3; fd < 100; fd++ {
		if syscall.Fstat(fd, &open) == nil {
			fmt.Println("open:", fd)
		}
	}
	for fd := 3; fd < 1024; fd++ {
		syscall.Close(fd)
	}
	for range 15 {
		work(time.Now())
	}
}

// numbers returns which numbers a file gets that is opened again and again. The goroutines are something to note.
func numbers() map[int]bool {
	found := map[int]bool{}
	for n, begin := 0, time.Now(); time.Since(begin) < 600*time.Millisecond; n++ {
		if n%100 == 0 {
			go work(begin)
		}
		fd, _ := syscall.Open(os.DevNull, syscall.O_RDONLY, 0)
		found[fd] = true
		syscall.Close(fd)
	}
	work(time.Now())
	return found
}

// worksUntilRecorded works until frames were written into a recording twice: the first may have ended before work
// began, and be written only now.
func worksUntilRecorded(name string) {
	for range 2 {
		for before := size(name); size(name) <= before; {
			work(time.Now())
		}
	}
}

func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return -1
	}
	return info.Size()
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
