# online
# Runs the programs with a window that docs/examples.md names, on an X server without a screen, until there is a picture.
pictures=$PWD
screen() { # screen PICTURE COMMAND
	echo "\$ $2"
	set -- "$1" "$2 -frames 60"
	set -- "$1" "$2 -screenshot $pictures/$1.png"
	xvfb-run -a -s '-screen 0 1280x720x24' sh -euc "$2"
	[ -s "$pictures/$1.png" ]
}
cd ../iprof
screen game 'go run ./examples/game'
screen ebitengine 'cd examples/hosts && go run ./ebitengine'
screen why 'cd examples/why && go run . -workload sphereflake -hot intersect'
if (cd hosts/raylib && go mod download); then # not every proxy has it
	screen raylib 'cd hosts/raylib && go run -tags x11 ./example'
else
	echo 'SKIPPED: raylib is not to be had here'
fi
