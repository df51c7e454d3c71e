-- Which hitches are one hitch? Late frames with the same cause at the same line.
select cause, zone, function, line, count(*) as hitches, count(distinct file) as machines, avg(excess_ms) as excess_ms
from verdicts group by cause, zone, function, line order by hitches desc, zone limit 10;
