/** Said by `GET /v1`, the health routes and the command line. A test holds it to package.json. */
export const serviceName = 'release-registry';
export const serviceVersion = '0.1.0';
