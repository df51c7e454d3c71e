package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"example.com/iprof/internal/beside"
	"example.com/iprof/internal/serve"
)

// started holds the programs that the window has started. They end with the window.
type started struct {
	tokens map[string]string // by address
	all    []*exec.Cmd
}

// startProgram runs the Go program of a folder with iprof, which gives its functions zones and lets it serve its
// frames. A viewer needs the token, which this window has, to see them. The window connects as soon as the program is
// built. The program's output goes to this program's.
func (v *application) startProgram(folder string, ended func(how string)) (address string, err error) {
	iprof, err := findIProf()
	if err != nil {
		return "", err
	}
	address, err = serve.FreeAddress()
	if err != nil {
		return "", err
	}
	token := rand.Text()
	cmd := exec.Command(iprof, "run", "-listen", address, ".")
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stderr, os.Stderr
	cmd.Env = append(os.Environ(), "IPROF_TOKEN="+token)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	s := &v.started
	if s.tokens == nil {
		s.tokens = map[string]string{}
	}
	s.tokens[address], s.all = token, append(s.all, cmd)
	go func() {
		if err := cmd.Wait(); err != nil {
			ended(fmt.Sprintf("the program has ended: %v; its output is in the terminal of glviewer", err))
		} else {
			ended("the program has ended")
		}
	}()
	return address, nil
}

// end ends the programs.
func (s *started) end() {
	for _, cmd := range s.all {
		if cmd.Process.Signal(os.Interrupt) != nil {
			_ = cmd.Process.Kill()
		}
	}
}

// findIProf returns the file of iprof.
func findIProf() (string, error) {
	if file, found := beside.Find("iprof"); found {
		return file, nil
	}
	return "", errors.New("iprof is not beside glviewer and not in PATH: install the two together")
}
