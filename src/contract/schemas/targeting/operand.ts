/** How an operand of a condition decided, as an evaluation and a test of a segment show it. */
import { z } from 'zod';

export const operandSchema = z.object({
  path: z.string().describe('Where the operand stands: `when.$and[1].level.$gte`.'),
  attribute: z.string(),
  operator: z
    .string()
    .nullable()
    .describe('null: the value is given plainly, as in `{"country": "DE"}`.'),
  wanted: z.string().describe('JSON text, cut where it is long.'),
  found: z
    .string()
    .nullable()
    .describe('JSON text, cut where it is long; null: there is no such attribute.'),
  holds: z.boolean().describe('Of this operand itself; below a `$not` that speaks against.'),
  text: z.string().describe('One sentence for people.'),
});
/** An operand that decided. */
export type Operand = z.output<typeof operandSchema>;
