// Package tools holds the scripts behind the Makefile, and their tests. It has no code of its own.
package tools
