/** Lets the tables that migrations describe compare texts byte by byte, as SQLite does, whatever the database's language. */
import {
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/** For schema builders only. */
export class ByteOrder implements KyselyPlugin {
  readonly #transformer = new TextColumns();

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

class TextColumns extends OperationNodeTransformer {
  protected override transformColumnDefinition(
    node: ColumnDefinitionNode,
    queryId?: QueryId,
  ): ColumnDefinitionNode {
    const column = super.transformColumnDefinition(node, queryId);
    const { dataType } = column;
    if (!DataTypeNode.is(dataType) || dataType.dataType !== 'text') return column;
    return { ...column, dataType: RawNode.createWithSql('text collate "C"') };
  }
}
