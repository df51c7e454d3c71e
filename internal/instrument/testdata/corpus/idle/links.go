package main

import (
	carry "net"
	"os/exec"
)

// link has connections, commands and channels in its fields, as servers do.
type link struct {
	*carrier
	carry.Listener
	conns  []carry.Conn
	byName map[string]*tap
	child  *exec.Cmd
}

type carrier struct{ queue <-chan int }
