/** The OpenAPI documents. No token: they hold nothing that is not in the source. */
import { z } from 'zod';
import { operation } from '../operation.js';

const responses = { 200: z.record(z.string(), z.unknown()) };

export const getAdminDocument = operation('GET /openapi.json', {
  tag: 'documents',
  description: 'The OpenAPI 3.1 document of the admin API.',
  responses,
});

export const getDeliveryDocument = operation('GET /openapi-delivery.json', {
  tag: 'documents',
  description: 'The OpenAPI 3.1 document of the delivery API, which games call.',
  responses,
});
