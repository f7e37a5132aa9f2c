import { expect, it } from 'vitest';
import { refusals } from '../../../src/delivery/events/refusals.js';
import { eventSchemas } from '../../../src/management/http/openapi/delivery-document-events.js';

it('the document of the delivery API lists the reasons that events are refused for', () => {
  const { reason } = eventSchemas.EventsTaken.properties.rejected.items.properties;
  expect(reason.enum).toEqual(Object.values(refusals).map((refusal) => refusal.reason));
});
