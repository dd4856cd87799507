# gnuplot time_per_message.gp
if (!exists('picture')) picture = 'time_per_message.svg'
data = 'time_per_message.dat'
set terminal svg size 1000,600 dynamic noenhanced font 'sans,13' background 'white'
set output picture
set title 'Kernel E: time a message (2 cores of Intel(R) Xeon(R) Processor, g++ 12.2.0)'
set key outside right top
set grid linecolor 'gray90'
set xlabel 'n, for 2^n processors'
set xtics 1
set ylabel 'time a message (ns)'
set logscale y 10
set format y '%g'
plot data index 0 with linespoints dashtype 3 pointtype 4 linecolor rgb '#1f77b4' title 'Lockstep, 2 threads', \
     data index 1 with linespoints dashtype 3 pointtype 5 linecolor rgb '#d62728' title 'Lockstep, 1 thread', \
     data index 2 with linespoints dashtype 3 pointtype 6 linecolor rgb '#2ca02c' title 'Boost.Fiber, 2 threads', \
     data index 3 with linespoints dashtype 3 pointtype 7 linecolor rgb '#9467bd' title 'polling fibers, 2 threads', \
     data index 4 with linespoints dashtype 3 pointtype 8 linecolor rgb '#ff7f0e' title 'bare coroutines, 2 threads', \
     data index 5 with linespoints dashtype 3 pointtype 9 linecolor rgb '#17becf' title 'plain loop, 1 thread'
