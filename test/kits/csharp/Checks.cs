// What the C# kit promises beneath its methods, compiled together with Loadout.cs. Without arguments: each check that fails is a
// line of the output, in the German culture, on a small stack. With "scan": a line {"text":…,"pointer":…} is responded to by what
// the scanner finds there, for a comparison with JavaScript's parser.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Loadout.Checking
{
    internal static class Program
    {
        private const int StackBytes = 128 * 1024;

        private static void Main(string[] args)
        {
            // Digits and commas of another culture must not get into JSON.
            CultureInfo.DefaultThreadCurrentCulture = new CultureInfo("de-DE");
            var thread = new Thread(args.Length == 0 ? new ThreadStart(Checks.RunAll) : Scan, StackBytes);
            thread.CurrentCulture = new CultureInfo("de-DE");
            thread.Start();
            thread.Join();
        }

        private static void Scan()
        {
            var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            string line;
            while ((line = input.ReadLine()) != null) output.WriteLine(Respond(line));
        }

        private static string Respond(string line)
        {
            string text, pointer;
            JsonValue.TryParse(line, out JsonValue request);
            JsonValue[] members = request.Pick("text", "pointer");
            members[0].TryString(out text);
            members[1].TryString(out pointer);
            if (!JsonValue.TryParse(text, out JsonValue root)) return "{\"isValid\":false}";
            if (!root.TryFind(pointer, out JsonValue value)) return "{\"isValid\":true}";
            var json = new StringBuilder("{\"isValid\":true");
            JsonText.Member(json, "raw", JsonText.Quote(value.Raw));
            if (value.TryString(out string characters)) JsonText.Member(json, "string", JsonText.Quote(characters));
            if (value.TryInteger(out long integer)) JsonText.Member(json, "integer", JsonText.Quote(JsonText.Number(integer)));
            if (value.TryDouble(out double number)) JsonText.Member(json, "double", JsonText.Number(number));
            return json.Append('}').ToString();
        }
    }

    internal static class Checks
    {
        public static void RunAll()
        {
            DepthNeedsNoStack();
            IntegersAreExact();
            DoublesAreFinite();
            SurrogatesSurvive();
            NumbersHaveNoCulture();
            ChecksumsAreThoseOfTheBytes();
            StreamsMayBeCutAnywhere();
            FilesAreReplacedWhole();
            NothingIsThrown();
            ResponsesThatDoNotStreamMeanPolls();
            AnInvalidKeyEndsRequests();
            WhatIsNotReadHasALimit();
            AListenerMayUpdate();
            Console.WriteLine("done");
        }

        private static void Check(bool isTrue, string what)
        {
            if (!isTrue) Console.WriteLine("failed: " + what);
        }

        private static void DepthNeedsNoStack()
        {
            const int Depth = 1000000;
            string open = new string('[', Depth);
            Check(JsonValue.TryParse(open + new string(']', Depth), out JsonValue value), "a million levels are JSON");
            Check(value.TryFind("/0/0/0", out JsonValue inner) && inner.IsArray, "there is a value three levels down");
            Check(!JsonValue.TryParse(open, out value), "a million levels without an end are none");
        }

        private static void IntegersAreExact()
        {
            string[] integers = { "9223372036854775807", "-9223372036854775808", "9007199254740993", "5.0", "1e3", "-0", "0.5e1", "9007199254740991.0", "100e-2" };
            string[] values = { "9223372036854775807", "-9223372036854775808", "9007199254740993", "5", "1000", "0", "5", "9007199254740991", "1" };
            for (int at = 0; at < integers.Length; at += 1)
            {
                Check(new JsonValue(integers[at]).TryInteger(out long value) && JsonText.Number(value) == values[at], integers[at] + " is an integer");
            }
            string[] others = { "9223372036854775808", "-9223372036854775809", "5.5", "9007199254740992.0", "1e400", "1e-1", "\"5\"", "true", "1e99999999999" };
            foreach (string other in others)
            {
                Check(!new JsonValue(other).TryInteger(out long value), other + " is no integer");
            }
        }

        private static void DoublesAreFinite()
        {
            Check(new JsonValue("4.99").TryDouble(out double value) && value == 4.99, "4.99 is a double");
            Check(new JsonValue("1e-400").TryDouble(out value) && value == 0, "1e-400 is the double 0");
            Check(!new JsonValue("1e400").TryDouble(out value), "1e400 is no finite double");
            Check(!new JsonValue("4,99").TryInteger(out long none), "a comma is none of a number");
        }

        private static void SurrogatesSurvive()
        {
            Check(new JsonValue("\"a\\ud800b\"").TryString(out string half) && half == "a\ud800b", "half a pair is read");
            Check(new JsonValue("\"\\u00E4\\u00aF\"").TryString(out string letters) && letters == "\u00e4\u00af", "digits of escapes have any case");
            Check(JsonText.Quote(half) == "\"a\\ud800b\"", "half a pair is written as an escape");
            Check(JsonText.Quote("\ud83d\ude00") == "\"\ud83d\ude00\"", "a pair is written as it is");
            Check(JsonText.Ascii("\"\u00e4\"") == "\"\\u00e4\"", "what is beyond ASCII can be written as escapes");
        }

        private static void NumbersHaveNoCulture()
        {
            Check((4.5).ToString() == "4,5", "this culture is German");
            Check(JsonText.Number(4.5) == "4.5", "a double has a point");
            Check(new Attributes { { "x", -1234.5 } }.ToJson() == "{\"x\":-1234.5}", "an attribute has a point");
            Check(Instant.Format(0) == "1970-01-01T00:00:00.000Z", "an instant is of no culture");
            Check(Instant.TryParse("2026-11-27T18:00:00Z", out long ms) && ms == 1795802400000, "RFC 3339 is read");
            Check(Instant.TryParse("Fri, 27 Nov 2026 18:00:00 GMT", out ms) && ms == 1795802400000, "dates of HTTP are read");
        }

        private static void ChecksumsAreThoseOfTheBytes()
        {
            Check(Crc32.Hex("123456789") == "cbf43926", "the check value of CRC-32");
            Crc32.Hex("a\u00e4\u20ac\ud83d\ude00\ud800", out long bytes);
            Check(bytes == Encoding.UTF8.GetByteCount("a\u00e4\u20ac\ud83d\ude00\ud800"), "bytes are those of UTF-8");
            string sealed1 = Seal.Close("{\"x\":\"\u00e4\"}");
            Check(Seal.Open(sealed1) == "{\"x\":\"\u00e4\"}", "what was closed is opened");
            for (int at = 0; at < sealed1.Length; at += 1)
            {
                string damaged = sealed1.Substring(0, at) + (char)(sealed1[at] ^ 1) + sealed1.Substring(at + 1);
                Check(Seal.Open(damaged) == null, "damage at " + at + " is found");
                Check(Seal.Open(sealed1.Substring(0, at)) == null, "a cut at " + at + " is found");
            }
        }

        private static void StreamsMayBeCutAnywhere()
        {
            const string Text = "\ufeff: hello\r\nevent: refresh\rdata:one\ndata: two\r\n\r\nevent:x\ndata\n\nretry: 250\nid: 4\nevent: refresh\ndata: \u00e4\n\ndata: lost";
            byte[] bytes = Encoding.UTF8.GetBytes(Text);
            for (int first = 0; first <= bytes.Length; first += 1)
            {
                for (int second = first; second <= bytes.Length; second += 1)
                {
                    var events = new EventStream(1000);
                    var seen = new StringBuilder();
                    foreach (byte[] piece in new[] { Part(bytes, 0, first), Part(bytes, first, second), Part(bytes, second, bytes.Length) })
                    {
                        events.Push(piece);
                        while (events.TryNext(out string name, out string data)) seen.Append(name).Append('=').Append(data).Append(';');
                    }
                    bool isRight = seen.ToString() == "refresh=one\ntwo;x=;refresh=\u00e4;" && events.RetryMs == 250 && !events.IsTooLong;
                    if (!isRight) Check(false, "events of a stream that is cut at " + first + " and " + second);
                }
            }
            var endless = new EventStream(1000);
            endless.Push(new byte[1001]);
            Check(endless.IsTooLong, "an event has a limit");
        }

        private static byte[] Part(byte[] bytes, int start, int end)
        {
            var part = new byte[end - start];
            Buffer.BlockCopy(bytes, start, part, 0, part.Length);
            return part;
        }

        private static void FilesAreReplacedWhole()
        {
            string folder = Path.Combine(Path.GetTempPath(), "loadout-checks-" + Guid.NewGuid().ToString("N"));
            var storage = new FileStorage(folder);
            Check(storage.GetItem("a") == null, "what was not stored is null");
            storage.RemoveItem("a");
            storage.SetItem("a", "one");
            // A process that was killed while it wrote.
            File.WriteAllText(Path.Combine(folder, "a.partial"), "half");
            Check(storage.GetItem("a") == "one", "half a write changes nothing");
            storage.SetItem("a", "tw\u00f6");
            Check(storage.GetItem("a") == "tw\u00f6", "an item is replaced");
            Check(Directory.GetFiles(folder).Length == 1, "nothing is left beside it");
            storage.RemoveItem("a");
            Check(storage.GetItem("a") == null, "an item is removed");
            Directory.Delete(folder, true);
        }

        private static void NothingIsThrown()
        {
            try
            {
                var client = new Client(new ClientOptions
                {
                    Url = "http://127.0.0.1:1",
                    Key = "key",
                    User = "ada",
                    Storage = new FailingStorage(),
                    Transport = new FailingTransport(),
                    Random = () => { throw new InvalidOperationException(); },
                    Log = (code, sentence) => { throw new InvalidOperationException(); },
                });
                client.Watch(notice => { throw new InvalidOperationException(); });
                client.Watch(null).Dispose();
                Task start = client.StartAsync(TimeSpan.FromMilliseconds(50));
                while (!start.IsCompleted)
                {
                    client.Update();
                    Thread.Sleep(1);
                }
                Check(client.Get(null, null, 5).Value == 5 && client.Get("x", "no pointer", "y").Value == "y", "nothing leads to the default");
                client.SetContext(null);
                client.Expose(null);
                client.Track(null, double.NaN);
                client.Track("n", 1);
                client.Ready();
                client.Activate();
                client.FlushAsync();
                client.RefreshAsync();
                client.SetUserAsync(null, TimeSpan.MaxValue);
                client.Suspend();
                client.Update();
                client.Resume();
                client.Update();
                client.Stop();
                client.Update();
                Check(client.StartAsync(TimeSpan.Zero).Result.Failure == "stopped", "a client that was stopped says so");
            }
            catch (Exception error)
            {
                Check(false, "nothing is thrown: " + error);
            }
        }

        private static void ResponsesThatDoNotStreamMeanPolls()
        {
            var transport = new PageTransport(200);
            var clock = new HandClock();
            Client client = ClientOn(transport, clock);
            client.StartAsync(TimeSpan.Zero);
            for (int minute = 0; minute < 16; minute += 1)
            {
                client.Update();
                client.Update();
                clock.Milliseconds += 60000;
            }
            const string Poll = "/api/v1/refresh";
            string paths = string.Join(" ", transport.Paths.ToArray());
            Check(paths == Poll + " " + Poll + " " + Poll + " " + Poll, "polls every five minutes: " + paths);
        }

        private static void AnInvalidKeyEndsRequests()
        {
            var transport = new PageTransport(401);
            var clock = new HandClock();
            Client client = ClientOn(transport, clock);
            Task<StartResult> start = client.StartAsync(TimeSpan.FromSeconds(5));
            client.Track("level", 1);
            client.Update();
            client.Update();
            Check(start.IsCompleted && start.Result.Failure == "invalid_api_key", "the start says that the key is invalid");
            Check(client.FlushAsync().IsCompleted, "a flush does not wait for a key");
            clock.Milliseconds += 86400000;
            client.Update();
            Check(transport.Paths.Count == 1, "no request follows");
        }

        /// <summary>A game that does not call Update, as while it loads a level, while a response comes in pieces of one byte.</summary>
        private static void WhatIsNotReadHasALimit()
        {
            var transport = new OpenTransport();
            var clock = new HandClock();
            Client client = ClientOn(transport, clock);
            Task<StartResult> start = client.StartAsync(TimeSpan.FromSeconds(5));
            client.Update();
            transport.Sink.Head(new ResponseHead(200, "application/json", null, null));
            transport.Sink.Bytes(PageTransport.Page, 0, PageTransport.Page.Length);
            byte[] space = { 32 };
            for (int left = 64 * 1024 * 1024 / 64; left > 0; left -= 1) transport.Sink.Bytes(space, 0, 1);
            transport.Sink.End();
            client.Update();
            clock.Milliseconds += 5000;
            client.Update();
            Check(start.IsCompleted && start.Result.Failure == "garbage", "pieces that are not read count with what each costs");
        }

        private static void AListenerMayUpdate()
        {
            int calls = 0;
            Client client = ClientOn(new PageTransport(200), new HandClock());
            for (int listener = 0; listener < 2; listener += 1)
            {
                client.Watch(notice =>
                {
                    calls += 1;
                    client.Update();
                });
            }
            client.StartAsync(TimeSpan.Zero);
            client.Update();
            client.Update();
            Check(calls == 2, "each listener is called once");
        }

        private static Client ClientOn(ITransport transport, IClock clock)
        {
            return new Client(new ClientOptions
            {
                Url = "http://127.0.0.1:1",
                Key = "key",
                User = "ada",
                Storage = null,
                Transport = transport,
                Clock = clock,
                Random = () => 0.5,
            });
        }
    }

    internal sealed class FailingStorage : IStorage
    {
        public string GetItem(string name)
        {
            throw new IOException();
        }

        public void SetItem(string name, string text)
        {
            throw new IOException();
        }

        public void RemoveItem(string name)
        {
            throw new IOException();
        }
    }

    internal sealed class FailingTransport : ITransport
    {
        public bool CanStream
        {
            get { return true; }
        }

        public ITransportCall Send(TransportRequest request, ITransportSink sink)
        {
            throw new InvalidOperationException();
        }
    }

    internal sealed class HandClock : IClock
    {
        public long Milliseconds { get; set; }

        public long UtcMilliseconds
        {
            get { return Milliseconds; }
        }
    }

    /// <summary>Gives each request a complete response at once, as in a browser.</summary>
    internal sealed class PageTransport : ITransport, ITransportCall
    {
        public static readonly byte[] Page = Encoding.UTF8.GetBytes(
            "{\"store\":\"s\",\"sequence\":1,\"changesAt\":null,\"contents\":{},\"gone\":[],\"more\":false}");

        public readonly List<string> Paths = new List<string>();
        private static readonly byte[] Problem = Encoding.UTF8.GetBytes("{\"status\":401,\"code\":\"invalid_api_key\"}");
        private readonly int _status;

        public PageTransport(int status)
        {
            _status = status;
        }

        public bool CanStream
        {
            get { return false; }
        }

        public ITransportCall Send(TransportRequest request, ITransportSink sink)
        {
            byte[] page = _status == 200 ? Page : Problem;
            Paths.Add(new Uri(request.Url).AbsolutePath);
            sink.Head(new ResponseHead(_status, "application/json", null, null));
            sink.Bytes(page, 0, page.Length);
            sink.End();
            return this;
        }

        public void Cancel()
        {
        }
    }

    /// <summary>Begins a request, of which nothing comes but what a check reports.</summary>
    internal sealed class OpenTransport : ITransport, ITransportCall
    {
        public ITransportSink Sink { get; private set; }

        public bool CanStream
        {
            get { return true; }
        }

        public ITransportCall Send(TransportRequest request, ITransportSink sink)
        {
            Sink = sink;
            return this;
        }

        public void Cancel()
        {
        }
    }
}
