import { condition } from '@hilo/nodes';
import { visit } from '@hilo/testing';

const branches = [{ name: 'adult', rule: { op: 'gte', left: '$context.age', right: 18 } }];
for (const age of [17, 18, '18']) {
  console.log(JSON.stringify(age), '→', visit(condition, { config: { branches }, variables: { $context: { age } } }).by);
}
