// The provider: tokens are JWTs, signed with RS256, for the audience that is asked for.
import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import Provider from "oidc-provider";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "test-1" };
const client = (id) => ({
  client_id: id,
  client_secret: `secret-of-${id}`,
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: "client_secret_post",
});

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: ["amal", "a.mal", "sami", "stranger"].map(client),
    jwks: { keys: [key] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => "urn:dalil:api",
        getResourceServerInfo: (_, resource) => ({
          scope: "",
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    extraTokenClaims: () => ({ dalil_tenant: "acme" }),
  });
  server.on("request", provider.callback());
  writeFileSync(process.argv[2], issuer);
});
