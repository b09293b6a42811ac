/** The present by the database's clock, in milliseconds since the Unix epoch. */
export const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

/** Refuses a migration of a shared database while processes serve it that would not understand what comes after it. */
export const refuseMembers = `do $$ begin
  if exists (select from members where alive_until_ms >= ${nowMs}) then
    raise exception 'processes of an earlier build serve it, and cannot beside this one: stop all of them first';
  end if;
end $$`;
