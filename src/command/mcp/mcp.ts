/** `loadout mcp`: serves assistants over standard input and output, with the rights of one token and less (D124). */
import { Command } from 'commander';
import { withServer } from '../client/connection.js';

interface McpOptions {
  readonly url?: string;
  readonly profile?: string;
}

export function mcpCommand(): Command {
  return withServer(new Command('mcp'))
    .description(
      'serve an assistant (MCP, stdio): it reads, evaluates and drafts; it publishes nothing',
    )
    .addHelpText(
      'after',
      '\nAn assistant starts this command; it is not for a terminal. Use a token of a user of its own: `loadout user create\nassistant editor --service --env ENV`. docs/integrations/mcp.md has settings for assistants.',
    )
    .action(async (options: McpOptions) => {
      // The SDK and the schemas of the contract are for this command alone.
      const { serveAssistant } = await import('../../assistant/serve-assistant.js');
      await serveAssistant(options);
    });
}
