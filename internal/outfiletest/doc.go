// Package outfiletest checks what a program does with the files that it is told to write: links, pipes, devices and
// others.
package outfiletest
