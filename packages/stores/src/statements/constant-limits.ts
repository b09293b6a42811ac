import { type KyselyPlugin, type LimitNode, OperationNodeTransformer, ValueNode } from 'kysely';

/**
 * Writes a limit that is always the same into the statement, instead of a place for it: SQLite plans a statement anew each
 * time its limit is given, which takes longer than to run it.
 */
export const constantLimits: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

const transformer = new (class extends OperationNodeTransformer {
  protected override transformLimit({ limit, ...node }: LimitNode): LimitNode {
    const isConstant = ValueNode.is(limit) && typeof limit.value === 'number';
    return { ...node, limit: isConstant ? ValueNode.createImmediate(limit.value) : limit };
  }
})();
