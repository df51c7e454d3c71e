package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/remote"
	server "example.com/iprof/internal/serve"
)

// leastToken is the least length of a token with which other machines may read a profile, as in package debug.
const leastToken = 16

// before checks what the run will write and listen to, so that a mistake costs no build.
func (a *arguments) before() error {
	if a.list || a.verb == "build" {
		return nil
	}
	flags := map[string]string{}
	for _, file := range []struct{ flag, name string }{
		{"-o", a.record}, {"-report", a.report}, {"-cpuprofile", a.profile}} {
		if file.name == "" || file.flag == "-report" && (file.name == "-" || file.name == "none") {
			continue
		}
		if err := writable(file.name); err != nil {
			return fmt.Errorf("%s: %w", file.flag, err)
		}
		name, err := filepath.Abs(file.name)
		if err != nil {
			return err
		}
		if other := flags[name]; other != "" && !isDevice(name) {
			return fmt.Errorf("%s and %s both name %s; name two files", other, file.flag, file.name)
		}
		flags[name] = file.flag
	}
	if a.verb != "run" {
		return nil
	}
	if err := a.reachable(); err != nil {
		return fmt.Errorf("-listen: %w", err)
	}
	return nil
}

// isDevice reports whether a name is that of a pipe or a device, which takes several outputs.
func isDevice(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// writable returns an error if a file cannot be written. It leaves the file and its folder as they are.
func writable(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder; name a file in it", name)
	case err == nil && !info.Mode().IsRegular():
		return nil // to open a pipe would be to use it
	case err == nil && filepath.Ext(name) == ".go":
		return fmt.Errorf("%s is a source file; name another file", name)
	case err == nil:
		return creatable(name)
	}
	folder := filepath.Dir(name)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s; make it before, or name another file", folder)
	}
	return creatable(name)
}

// creatable begins to write a file, and leaves what was there.
func creatable(name string) error {
	file, err := outfile.Create(name)
	if err != nil {
		return err
	}
	file.Drop()
	return nil
}

// reachable returns an error if the program will not be able to listen.
func (a *arguments) reachable() error {
	if a.listen == "" {
		return nil
	}
	_, port, err := remote.HostPort(a.listen)
	if err != nil {
		return err
	}
	if !server.OnlyHere(a.listen) && len(a.token) < leastToken {
		return fmt.Errorf("other machines can reach %s: give a token of %d characters at least in the variable "+
			"IPROF_TOKEN or with -token, or listen on 127.0.0.1:%s", a.listen, leastToken, port)
	}
	l, err := server.Listen(a.listen)
	if err != nil {
		return fmt.Errorf("%s: %w", a.listen, listenCause(err))
	}
	return l.Close()
}

// listenCause returns the error of a Listen without the address in it.
func listenCause(err error) error {
	if op := new(net.OpError); errors.As(err, &op) {
		err = op.Err
	}
	if call := new(os.SyscallError); errors.As(err, &call) {
		err = call.Err
	}
	if strings.Contains(err.Error(), "in use") {
		return fmt.Errorf("%w by another program; port 0 is any free one", err)
	}
	return err
}
