-- Which classes of machines keep to the budget in 99 of 100 frames?
select machine, frames.version, p99(judged_ms) as p99_ms, max(budget_ms) as budget_ms
from frames join captures using (file)
group by machine, frames.version order by p99_ms desc, machine, frames.version;
