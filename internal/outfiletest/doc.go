// Package outfiletest checks how a program writes its output to files of all kinds: links, pipes, devices and others.
package outfiletest
