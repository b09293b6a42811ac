/** The present by the database's clock, in milliseconds since the Unix epoch. */
export const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** What is asked of the tables `members` and `lanes`, each in one statement: it happens whole or not at all. */
export interface LeaseQuestions {
  /** Given the lease time. */
  readonly join: string;
  /** Given the member and the lease time: lives on, and takes for dead whose time is over. */
  readonly renew: string;
  /** Given the member: is none any longer. */
  readonly leave: string;
  /** Lanes of the dead in which nothing is unfinished are nobody's. */
  readonly clear: string;
  /** Given the member and lanes as JSON: makes those its own that are free, and wants the others. */
  readonly claim: string;
  /** Given the member and lanes as JSON: lets go, and tells whoever wanted one. */
  readonly release: string;
  /** Given lanes as JSON: those that nobody has who lives. */
  readonly free: string;
}

/** @param schema - also the name of the channel in which processes tell each other */
export function leaseQuestions(schema: string): LeaseQuestions {
  const [members, lanes] = [`"${schema}".members`, `"${schema}".lanes`];
  const lives = (owner: string): string => `exists (select from ${members} as m where m.id = ${owner})`;
  const tell = (what: string): string => `count(pg_notify('${schema}', ${what}))`;
  return {
    join: `insert into ${members} (alive_until_ms) values (${nowMs} + $1) returning id, ${nowMs} as now_ms`,

    // Whoever is in the middle of a commit is not removed: the commit comes before it, or is refused. And who was late
    // itself, because the server was away, lets the others be heard of first.
    renew: `with me as (update ${members} set alive_until_ms = ${nowMs} + $2 where id = $1 returning id),
      overdue as (select id from ${members} where alive_until_ms < ${nowMs} and id <> $1
        and exists (select from ${members} as punctual where punctual.id = $1 and punctual.alive_until_ms >= ${nowMs})
        for update skip locked),
      dead as (delete from ${members} where id in (select id from overdue) returning id),
      told as (select ${tell(`'orphans'`)} from (select from dead limit 1) as any_dead)
      select (select count(*) from me) as alive, (select * from told) as removed, ${nowMs} as now_ms,
        exists (select from ${lanes} as l where not ${lives('l.owner')}) as orphans`,

    leave: `with me as (delete from ${members} where id = $1 returning id) select ${tell(`'orphans'`)} from me`,

    clear: `delete from ${lanes} as l where not ${lives('l.owner')}
      and not exists (select from "${schema}".queue as q where q.lane = l.lane)
      and not exists (select from "${schema}".executions as e where e.lane = l.lane and e.unsettled is not null)`,

    claim: `with me as (select id from ${members} where id = $1 for key share),
      asked as (select distinct value as lane from json_array_elements_text($2)),
      before as (select l.lane, l.owner from ${lanes} as l join asked on asked.lane = l.lane),
      answered as (
        insert into ${lanes} as l (lane, owner, wanted)
        select asked.lane, me.id, 0 from asked, me order by asked.lane collate "C"
        on conflict (lane) do update set
          owner = case when ${lives('l.owner')} then l.owner else excluded.owner end,
          wanted = case when l.owner <> excluded.owner and ${lives('l.owner')} then 1 else l.wanted end
        returning l.lane, l.owner)
      select a.lane, a.owner = $1 as ours, b.owner <> $1 and not ${lives('b.owner')} as inherited
      from answered as a left join before as b on b.lane = a.lane`,

    release: `with held as (select lane from ${lanes} where owner = $1 and lane in (select json_array_elements_text($2))
        order by lane for update),
      gone as (delete from ${lanes} where lane in (select lane from held) returning lane, wanted)
      select ${tell(`'free ' || lane`)} from gone where wanted = 1`,

    free: `select value as lane from json_array_elements_text($1)
      where not exists (select from ${lanes} as l where l.lane = value and ${lives('l.owner')})`,
  };
}
